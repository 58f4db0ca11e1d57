/// Looks whether the turn is taken, and queues up a moment later: by then nobody may be there to wake it.
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
