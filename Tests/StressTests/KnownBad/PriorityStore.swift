import Synchronization

/// Hands the turn to the waiter of the highest priority, as an actor's mailbox does.
final class PriorityStore: GatedStore {
  let cell = Cell()
  private let gate = Mutex(Gate())

  init(name: String) {}

  func enter() async -> Bool {
    if let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
    return true
  }

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
