import Synchronization

/// A waiter is in the queue before it waits, and a signal that comes in between is lost.
final class LostWakeUpStore: GatedStore {
  let cell = Cell()
  private let gate = Mutex(Gate())

  init(name: String) {}

  func enter() async -> Bool {
    if let waiter = gate.withLock({ $0.waiter() }) {
      await Task.yield()
      await waiter.wait()
    }
    return true
  }

  func leave() {
    gate.withLock { $0.handOver() }?.signalIfWaiting()
  }
}
