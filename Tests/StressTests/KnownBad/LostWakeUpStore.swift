/// Queues a waiter before the call waits, and loses a signal that arrives in between.
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
