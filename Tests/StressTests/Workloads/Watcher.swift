import ActorStoreTesting
import ActorStore

/// Somebody who watches, with what it got and what its filter was asked.
final class Watcher: Sendable {
  enum Kind: Sendable {
    case all
    case newest
    /// All that are even, or one more than what was accepted last.
    case filtered
  }

  private struct Notes: Sendable {
    var seen: [Int] = []
    var accepted: [Int] = []
    var asked: [Int] = []
    var problem: String?
  }

  let kind: Kind
  private let notes = Locked(Notes())

  init(_ kind: Kind) {
    self.kind = kind
  }

  var asked: Int { notes.withLock { $0.asked.count } }

  /// Subscribes and takes until the end; `commits` is how many have been made for sure.
  func watch<S: WatchedSubject>(_ store: S, commits: @Sendable () -> Int) async {
    let before = commits()
    let ask: S.Filter = { self.shouldUpdate($0, $1) }
    for await state in await store.states(keepingNewest: kind == .newest ? 1 : nil, kind == .filtered ? ask : nil) {
      notes.withLock { notes in
        if notes.seen.isEmpty, state < before { notes.problem = "started at \(state), when \(before) were committed" }
        notes.seen.append(state)
      }
    }
  }

  private func shouldUpdate(_ previous: Int?, _ new: Int) -> Bool {
    notes.withLock { notes in
      if previous != notes.accepted.last {
        notes.problem = "asked with \(String(describing: previous)) as what was accepted last"
      }
      notes.asked.append(new)
      let isAccepted = new % 2 == 0 || new == notes.accepted.last.map { $0 + 1 }
      if isAccepted { notes.accepted.append(new) }
      return isAccepted
    }
  }

  /// Throws what is wrong with what it saw.
  ///
  /// - Parameter last: The last commit; nil for who was cancelled, and may have missed the end.
  func expectSound(last: Int?) throws {
    let notes = notes.withLock { $0 }
    try Simulation.expect(notes.problem == nil, notes.problem ?? "")
    switch kind {
    case .all:
      try expectWithoutGap(notes.seen, last)
    case .newest:
      try Simulation.expect(zip(notes.seen, notes.seen.dropFirst()).allSatisfy { $0 < $1 }, "went back: \(notes.seen)")
      if let last { try Simulation.expect(notes.seen.last == last, "the last is missing: \(notes.seen), \(last)") }
    case .filtered:
      try expectWithoutGap(notes.asked, last)
      // Cancelled, it need not get what was accepted meanwhile.
      let delivered = last == nil ? Array(notes.accepted.prefix(notes.seen.count)) : notes.accepted
      try Simulation.expect(notes.seen == delivered, "got \(notes.seen), accepted \(notes.accepted)")
    }
  }

  private func expectWithoutGap(_ states: [Int], _ last: Int?) throws {
    try Simulation.expect(zip(states, states.dropFirst()).allSatisfy { $0 + 1 == $1 }, "with a gap: \(states)")
    if let last { try Simulation.expect(states.last == last, "the last is missing: \(states), \(last)") }
  }
}
