/// Leaves the waiter of a canceled call in the queue, and later hands it a turn that no call takes.
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
