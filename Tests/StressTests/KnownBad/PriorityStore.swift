/// Hands off the turn to the waiter with the highest priority, as a busy actor does.
final class PriorityStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}

  func leave() {
    let next = gate.withLock { gate -> Waiter? in
      guard let first = gate.waiters.indices.max(by: { gate.waiters[$0].priority < gate.waiters[$1].priority }) else {
        gate.isTaken = false
        return nil
      }
      return gate.waiters.remove(at: first)
    }
    next?.signal()
  }
}
