/// Queues a waiter some time after its caller finds the turn taken, when there may be no holder left to wake it.
final class CheckThenParkStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}

  func enter() async -> Bool {
    let isTaken = gate.withLock { gate in
      defer { gate.isTaken = true }
      return gate.isTaken
    }
    if isTaken {
      await Task.yield()
      let waiter = Waiter()
      gate.withLock { $0.waiters.append(waiter) }
      await waiter.wait()
    }
    return true
  }
}
