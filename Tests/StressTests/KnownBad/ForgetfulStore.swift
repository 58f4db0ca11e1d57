/// A waiter that is cancelled goes away, but stays in the queue: the turn is handed to somebody who is not there.
final class ForgetfulStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

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
}
