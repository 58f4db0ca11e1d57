import ActorStore

/// A waiter that is cancelled is passed over when its place comes, but signalled all the same; it is used again by
/// then, so the second signal lets somebody in whose turn it is not.
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

    /// Whom to signal; the last of them has the turn.
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
