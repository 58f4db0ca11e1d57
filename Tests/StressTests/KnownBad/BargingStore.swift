/// Frees the turn before it wakes a waiter, so a later caller may take the turn first.
final class BargingStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}

  func enter() async -> Bool {
    while let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
    return true
  }

  func leave() {
    let next = gate.withLock { gate in
      gate.isTaken = false
      return gate.waiters.isEmpty ? nil : gate.waiters.removeFirst()
    }
    next?.signal()
  }
}
