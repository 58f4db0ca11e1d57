/// Which turns wait for which tickets of other stores, and whether one more wait would close a circle (P8): the logic.
///
/// A turn waits for a ticket when something below its action does: the action itself, a child task, a `Task {}`. Nothing
/// is known of a ticket but who holds it up at the moment: whoever has its store's turn, and the ticket's own action if
/// that runs without a turn. So handing a turn on changes where the waits lead without touching them. It cannot close a
/// circle: an action that has only just got its turn waits for nobody. Only a wait that begins can, and each is looked
/// at when it does.
///
/// `Target` stands for a ticket of a store.
struct WaitGraph<Target: Sendable>: Sendable {
  private struct Wait: Sendable {
    let turns: [TurnID]
    let target: Target
  }

  private var waits: [WaitID: Wait] = [:]
  private var waitsOfTurn: [TurnID: [WaitID]] = [:]

  /// How many waits are for such a target.
  func count(where isMeant: (Target) -> Bool) -> Int {
    waits.values.count { isMeant($0.target) }
  }

  var isEmpty: Bool { waits.isEmpty && waitsOfTurn.isEmpty }

  /// Everything below `turns` is going to wait for `target`; false, and nothing noted, if that would close a circle.
  ///
  /// `heldUpBy` says which turns a ticket waits for at the moment, its own included; none when it does not wait any
  /// more. Turns may be handed on between two of its answers. Each is asked once for a target on the way,
  /// so the cost is that of the waits that hang together.
  mutating func begin(
    _ id: WaitID,
    below turns: [TurnID],
    for target: Target,
    heldUpBy: (Target) -> [TurnID]
  ) -> Bool {
    var seen: Set<TurnID> = []
    var open = [target]
    while let next = open.popLast() {
      for holder in heldUpBy(next) where seen.insert(holder).inserted {
        if turns.contains(holder) { return false }
        for wait in waitsOfTurn[holder] ?? [] {
          if let target = waits[wait]?.target { open.append(target) }
        }
      }
    }
    waits[id] = Wait(turns: turns, target: target)
    for turn in turns { waitsOfTurn[turn, default: []].append(id) }
    return true
  }

  /// The wait is over; returns what it was for, to be let go after the lock.
  mutating func end(_ id: WaitID) -> Target? {
    guard let wait = waits.removeValue(forKey: id) else { return nil }
    for turn in wait.turns {
      waitsOfTurn[turn]?.removeAll { $0 == id }
      if waitsOfTurn[turn]?.isEmpty == true { waitsOfTurn[turn] = nil }
    }
    return wait.target
  }
}

/// One wait of one store's action for another store.
enum WaitID: Hashable, Sendable {
  /// A call waits for its own turn: there is one such wait for a ticket.
  case turn(TurnID)
  /// Somebody awaits a ticket's outcome; others may await the same.
  case outcome(UInt64)
  /// Somebody waits for a commit that brings what it waits for.
  case commit(UInt64)
}
