import Atoms

/// Two parts of a sum, one of which its setter sets so that the sum is as set, even after a change of the other part.
struct ChaosBalance: Sendable {
  let sum: GetSetAtom<Int>
  /// The sum that was set last.
  let target = Atom(0, lifetime: .kept)
  /// Twice the sum, whose setter sets the sum.
  let twice: GetSetAtom<Int>

  init(beside other: Atom<Int>) {
    let own = Atom(0, lifetime: .kept)
    let target = target
    let sum = GetSetAtom {
      own.value &+ other.value
    } set: {
      own.value = $0 &- other.value
      target.value = $0
    }
    self.sum = sum
    twice = GetSetAtom {
      sum.value &* 2
    } set: {
      sum.value = $0 / 2
    }
  }
}

/// An asynchronous atom that computes a number from two atoms, or fails.
struct ChaosLoad: Sendable {
  struct Loaded: Equatable, Sendable {
    let value: Int
    /// The number of the run, or 0 if the state was set by hand.
    let run: Int
  }

  struct Failed: Error, Equatable {
    let value: Int
  }

  let runs = Tally()
  let atom: AsyncAtom<Loaded>
  /// The value of the state, through a derived atom.
  private let shown: DerivedAtom<Int?>
  private let first: DerivedAtom<Int>
  private let second: Atom<Int>

  init(of first: DerivedAtom<Int>, and second: Atom<Int>) {
    self.first = first
    self.second = second
    let runs = runs
    let atom = AsyncAtom(lifetime: .kept) {
      let run = runs.next()
      let one = first.value
      if one % 3 == 0 { await Task.yield() }
      let value = try Self.formula(one, second.value)
      if value % 4 == 0 { await Task.yield() }
      return Loaded(value: value, run: run)
    }
    self.atom = atom
    shown = DerivedAtom { atom.value.value?.value }
  }

  private static func formula(_ one: Int, _ two: Int) throws(Failed) -> Int {
    if two % 11 == 3 { throw Failed(value: one) }
    return one &* 3 &+ two
  }

  /// Injects an operation with the same results.
  func inject(in store: AtomStore) {
    let (first, second, runs) = (first, second, runs)
    store.inject(atom) {
      let run = runs.next()
      return Loaded(value: try Self.formula(first.value, second.value), run: run)
    }
  }

  /// Reads the state and what it was computed from, in a snapshot, and returns what is wrong.
  func problem(isFinished: Bool) -> String? {
    let (state, shown, one, two) = (atom.value, shown.value, first.value, second.value)
    if shown != state.value?.value { return "derived from the state \(state): saw \(shown.map { "\($0)" } ?? "nil")" }
    if let success = state.value, atom.latest.value != success { return "latest differs from the state \(state)" }
    let plain = Result { () throws(Failed) in try Self.formula(one, two) }
    switch (state, plain) {
    case (.loading, _): return isFinished ? "async: loading after the result" : nil
    case (.success(let seen), .success(let value)):
      if seen.run == 0 || seen.value == value { return nil }
    case (.success(let seen), .failure):
      if seen.run == 0 { return nil }
    case (.failure(let error), .failure(let failed)):
      if error as? Failed == failed { return nil }
    case (.failure, .success): break
    }
    return "async: \(state) beside the sources \(one) and \(two), which give \(plain)"
  }
}
