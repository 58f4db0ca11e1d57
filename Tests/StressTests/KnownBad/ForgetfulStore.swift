import Synchronization

/// A waiter that is cancelled goes away, but stays in the queue: the turn is handed to somebody who is not there.
final class ForgetfulStore: GatedStore {
  let cell = Cell()
  private let gate = Mutex(Gate())

  init(name: String) {}

  func enter() async -> Bool {
    guard let waiter = gate.withLock({ $0.waiter() }) else { return true }
    await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.signal()
    }
    return !Task.isCancelled
  }

  func leave() {
    gate.withLock { $0.handOver() }?.signal()
  }
}
