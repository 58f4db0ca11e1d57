/// A waiter is in the queue before it waits, and a signal that comes in between is lost.
final class LostWakeUpStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

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
