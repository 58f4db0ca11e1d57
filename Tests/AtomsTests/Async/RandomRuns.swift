import ActorStore
import ActorStoreTesting
import SeededRandom

@testable import Atoms

/// A random graph of asynchronous and derived atoms, whose values are sums of products of others.
struct RandomRuns: Sendable {
  /// An input of a formula, with its factor.
  enum Input: Sendable {
    case source(Int, Int)
    /// The value of an asynchronous atom, or -1 if it has none.
    case state(Int, Int)
    /// The result of an asynchronous atom, which a run awaits.
    case result(Int, Int)
    /// A derived atom, which reads the states of asynchronous ones.
    case derived(Int, Int)
  }

  let store = AtomStore()
  let sources: [Atom<Int>]
  let formulas: [[Input]]
  let atoms: [AsyncAtom<Int>]
  /// The formulas of the derived atoms.
  let derivedFormulas: [[Input]]
  let derived: [DerivedAtom<Int>]
  /// The atoms that were canceled, whose results can belong to a former revision.
  private let canceled = Recorder<Int>()
  /// The values read by runs that saw two revisions.
  let torn = Recorder<[Int]>()

  init(_ random: inout SplitMix64) {
    let sources = (0..<3).map { Atom($0, keepAlive: true) }
    var (formulas, atoms): ([[Input]], [AsyncAtom<Int>]) = ([], [])
    var (derivedFormulas, derived): ([[Input]], [DerivedAtom<Int>]) = ([], [])
    for index in 0..<3 {
      let formula = Self.makeFormula(index, derived.count, isRun: true, &random)
      formulas.append(formula)
      atoms.append(
        Self.makeAtom(formula, sources, atoms, derived, keepAlive: Bool.random(using: &random), torn))
      let derivedFormula = Self.makeFormula(index + 1, derived.count, isRun: false, &random)
      let (others, known) = (atoms, derived)
      derivedFormulas.append(derivedFormula)
      derived.append(
        DerivedAtom(keepAlive: Bool.random(using: &random)) {
          derivedFormula.reduce(0) { sum, input in sum + Self.read(input, sources, others, known) }
        })
    }
    (self.sources, self.formulas, self.atoms) = (sources, formulas, atoms)
    (self.derivedFormulas, self.derived) = (derivedFormulas, derived)
  }

  private static func makeFormula(
    _ atoms: Int, _ derived: Int, isRun: Bool, _ random: inout SplitMix64
  ) -> [Input] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ -> Input in
      let factor = Int.random(in: 1...5, using: &random)
      switch random.below(5) {
      case 0 where atoms > 0, 1 where atoms > 0 && !isRun: return .state(random.below(atoms), factor)
      case 1 where atoms > 0: return .result(random.below(atoms), factor)
      case 2 where derived > 0: return .derived(random.below(derived), factor)
      default: return .source(random.below(3), factor)
      }
    }
  }

  private static func makeAtom(
    _ formula: [Input], _ sources: [Atom<Int>], _ atoms: [AsyncAtom<Int>], _ derived: [DerivedAtom<Int>],
    keepAlive: Bool, _ torn: Recorder<[Int]>
  ) -> AsyncAtom<Int> {
    AsyncAtom(keepAlive: keepAlive) { () async throws -> Int in
      var (sum, seen): (Int, [(source: Int, value: Int)]) = (0, [])
      for input in formula {
        if case .result(let other, let factor) = input {
          sum += try await atoms[other].result * factor
        } else {
          sum += read(input, sources, atoms, derived)
        }
        if case .source(let source, _) = input { seen.append((source, sources[source].value)) }
        await Task.yield()
      }
      // A run sees one revision, even if it is no longer the newest one.
      for (source, value) in seen where sources[source].value != value { torn.add([source, value]) }
      return try checked(sum)
    }
  }

  /// Some sums are errors.
  private static func checked(_ sum: Int) throws -> Int {
    if sum % 7 == 3 { throw Stop() }
    return sum
  }

  private static func read(
    _ input: Input, _ sources: [Atom<Int>], _ atoms: [AsyncAtom<Int>], _ derived: [DerivedAtom<Int>]
  ) -> Int {
    switch input {
    case .source(let source, let factor): sources[source].value * factor
    case .state(let other, let factor), .result(let other, let factor): (atoms[other].value.value ?? -1) * factor
    case .derived(let other, let factor): derived[other].value * factor
    }
  }

  // MARK: Canceling

  func cancel(_ index: Int) {
    canceled.add(index)
    store.callAsCurrent { atoms[index].cancel() }
  }

  /// Starts the canceled atoms again, so that their results belong to the newest revision.
  func reloadCanceled() {
    store.callAsCurrent { for index in canceled.all { atoms[index].reload() } }
    canceled.reset()
  }

  // MARK: Checking

  /// Fails if an atom has a value that does not belong to the values at the same revision.
  func check() throws {
    let (sources, states, values) = store.snapshot {
      (self.sources.map { $0.value }, atoms.map { $0.value }, derived.map { $0.value })
    }
    for (index, formula) in formulas.enumerated() where !canceled.all.contains(index) {
      if states[index].loading { continue }
      let expected = try? formula.reduce(0) { sum, input in
        try sum + Self.value(of: input, sources, states, values)
      }
      let result = expected.flatMap { try? Self.checked($0) }
      try Simulation.expect(states[index].value == result, "atom \(index) is \(states[index]) and not \(result ?? -1)")
    }
    for (index, formula) in derivedFormulas.enumerated() {
      let expected = try formula.reduce(0) { sum, input in try sum + Self.value(of: input, sources, states, values) }
      try Simulation.expect(values[index] == expected, "derived atom \(index) is \(values[index]) and not \(expected)")
    }
  }

  /// The values that a formula reads at the revision of a check, or an error if a result is an error.
  private static func value(
    of input: Input, _ sources: [Int], _ states: [AsyncState<Int>], _ values: [Int]
  ) throws -> Int {
    switch input {
    case .source(let source, let factor): return sources[source] * factor
    case .state(let other, let factor): return (states[other].value ?? -1) * factor
    case .derived(let other, let factor): return values[other] * factor
    case .result(let other, let factor):
      guard let value = states[other].value else { throw Stop() }
      return value * factor
    }
  }
}
