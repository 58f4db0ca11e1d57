import ActorStoreTesting
import ActorStore

/// A watcher that records the states it receives and the calls of its filter.
final class Watcher: Sendable {
  enum Kind: Sendable {
    case all
    case newest
    /// Accepts even states, and states that are one more than the last accepted state.
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

  /// Subscribes to the states of a store, and takes them until the stream ends.
  ///
  /// - Parameter commits: Returns a lower bound on the number of commits so far.
  func watch<S: WatchedSubject>(_ store: S, commits: @Sendable () -> Int) async {
    let before = commits()
    let ask: S.Filter = { self.shouldUpdate($0, $1) }
    for await state in await store.states(keepingNewest: kind == .newest ? 1 : nil, kind == .filtered ? ask : nil) {
      notes.withLock { notes in
        if notes.seen.isEmpty, state < before { notes.problem = "started at \(state) after \(before) commits" }
        notes.seen.append(state)
      }
    }
  }

  private func shouldUpdate(_ previous: Int?, _ new: Int) -> Bool {
    notes.withLock { notes in
      if previous != notes.accepted.last {
        notes.problem = "the filter did not get the last accepted state, but \(String(describing: previous))"
      }
      notes.asked.append(new)
      let isAccepted = new % 2 == 0 || new == notes.accepted.last.map { $0 + 1 }
      if isAccepted { notes.accepted.append(new) }
      return isAccepted
    }
  }

  /// Throws an error if the watcher received incorrect states.
  ///
  /// - Parameter last: The last commit, or `nil` for a canceled watcher, which may have missed the end.
  func expectSound(last: Int?) throws {
    let notes = notes.withLock { $0 }
    try Simulation.expect(notes.problem == nil, notes.problem ?? "")
    switch kind {
    case .all:
      try expectWithoutGap(notes.seen, last)
    case .newest:
      try Simulation.expect(zip(notes.seen, notes.seen.dropFirst()).allSatisfy { $0 < $1 }, "went back: \(notes.seen)")
      if let last { try Simulation.expect(notes.seen.last == last, "last state is missing: \(notes.seen), \(last)") }
    case .filtered:
      try expectWithoutGap(notes.asked, last)
      // A canceled watcher may miss the states that the filter accepted last.
      let delivered = last == nil ? Array(notes.accepted.prefix(notes.seen.count)) : notes.accepted
      try Simulation.expect(notes.seen == delivered, "received \(notes.seen), but accepted \(notes.accepted)")
    }
  }

  private func expectWithoutGap(_ states: [Int], _ last: Int?) throws {
    try Simulation.expect(zip(states, states.dropFirst()).allSatisfy { $0 + 1 == $1 }, "gap in the states: \(states)")
    if let last { try Simulation.expect(states.last == last, "last state is missing: \(states), \(last)") }
  }
}
