import ActorStore

/// Signals the waiter of a canceled call twice.
///
/// The cancellation signals the waiter, and the call returns. When the call's place in the queue is reached, the store
/// passes over it but signals the waiter again. If another call reuses the waiter by then, the second signal admits
/// that call out of turn.
final class TwiceResumingStore: GatedStore {
  private struct Place {
    let waiter: Waiter
    let number: Int
  }

  private struct State {
    var isTaken = false
    var queue: [Place] = []
    var cancelled: Set<Int> = []
    var unused: [Waiter] = []
    var lastNumber = 0

    mutating func place() -> Place? {
      if !isTaken {
        isTaken = true
        return nil
      }
      lastNumber += 1
      queue.append(Place(waiter: unused.popLast() ?? Waiter(), number: lastNumber))
      return queue.last
    }

    /// Returns the waiters to signal, which end with the next holder, if there is one.
    mutating func handOver() -> [Waiter] {
      var signalled: [Waiter] = []
      while !queue.isEmpty {
        let place = queue.removeFirst()
        signalled.append(place.waiter)
        if cancelled.remove(place.number) == nil { return signalled }
      }
      isTaken = false
      return signalled
    }
  }

  let cell = Cell()
  private let state = Locked(State())

  init(name: String) {}

  func enter() async -> Bool {
    guard let place = state.withLock({ $0.place() }) else { return true }
    let hasTurn = Locked(true)
    await withTaskCancellationHandler {
      await place.waiter.wait()
    } onCancel: {
      let isQueued = state.withLock { state in
        let isQueued = state.queue.contains { $0.number == place.number }
        if isQueued { state.cancelled.insert(place.number) }
        return isQueued
      }
      if isQueued {
        hasTurn.withLock { $0 = false }
        place.waiter.signal()
      }
    }
    state.withLock { $0.unused.append(place.waiter) }
    return hasTurn.withLock { $0 }
  }

  func leave() {
    for waiter in state.withLock({ $0.handOver() }) { waiter.signal() }
  }
}
