import Testing

@testable import Atoms

/// Equal values change nothing, and values that cannot be compared always do (A9).
@Suite struct EqualityTests {
  private let store = AtomStore()

  @Test func a9_equalResultsStopPropagation() {
    let (a, runs, calls) = (Atom(1), Tally(), Tally())
    let tens = DerivedAtom { a.value / 10 }
    let text = DerivedAtom { () -> String in
      runs.add()
      return "\(tens.value)"
    }
    let observation = store.observe(text, skip: 1) { _ in calls.add() }
    for value in 2...9 { store.set(a, value) }
    #expect(store.get(text) == "0" && runs.value == 1 && calls.value == 0)
    store.set(a, 10)
    #expect(store.get(text) == "1" && runs.value == 2 && calls.value == 1)
    observation.cancel()
  }

  @Test func a9_equalSetsChangeNothing() {
    let (a, runs, calls) = (Atom(1), Tally(), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      return a.value * 2
    }
    let observations = [
      store.observe(a, skip: 1) { _ in calls.add() },
      store.observe(double, skip: 1) { _ in calls.add() },
    ]
    let revision = store.graph.revision
    store.set(a, 1)
    store.update(a) { $0 += 0 }
    store.transaction { a.value = 1 }
    store.reset(a)
    #expect(store.get(double) == 2 && runs.value == 1 && calls.value == 0)
    #expect(store.graph.revision == revision)
    withExtendedLifetime(observations) {}
  }

  /// A value with a number, and with unused bytes before it.
  private struct Reading: Equatable, Sendable {
    var isValid = true
    var value = Double.nan
  }

  /// A value that is not equal to itself has not changed if its bits are the same.
  @Test func a9_setsOfTheSameNaNChangeNothing() {
    let (a, number, runs, calls) = (Atom(Reading()), Atom(Double.nan), Tally(), Tally())
    let copy = DerivedAtom { Reading(isValid: true, value: number.value * 2) }
    let text = DerivedAtom { () -> String in
      runs.add()
      return "\(a.value) \(copy.value)"
    }
    let observations = [
      store.observe(a, skip: 1) { _ in calls.add() },
      store.observe(text, skip: 1) { _ in calls.add() },
    ]
    let revision = store.graph.revision
    store.set(a, Reading(isValid: true, value: .nan))
    store.update(a) { $0.isValid = true }
    store.transaction { a.value = Reading() }
    store.set(number, .nan)
    #expect(store.graph.revision == revision && runs.value == 1 && calls.value == 0)
    store.set(number, -.nan)
    #expect(runs.value == 2)
    store.set(a, Reading(isValid: false))
    #expect(runs.value == 3 && calls.value > 0)
    withExtendedLifetime(observations) {}
  }

  /// A value that cannot be compared.
  private struct Opaque: Sendable {
    let number: Int
  }

  @Test func a9_valuesWithoutEquatableAlwaysDiffer() {
    let (a, runs, numbers) = (Atom(Opaque(number: 1)), Tally(), Recorder<Int>())
    let copy = DerivedAtom { () -> Opaque in
      runs.add()
      return a.value
    }
    let number = DerivedAtom { copy.value.number }
    let calls = Tally()
    let observations = [
      store.observe(a, skip: 1) { numbers.add($0.number) },
      store.observe(copy, skip: 1) { numbers.add($0.number) },
      store.observe(number, skip: 1) { _ in calls.add() },
    ]
    store.set(a, Opaque(number: 1))
    store.transaction { a.value = Opaque(number: 1) }
    store.update(a) { _ in }
    #expect(numbers.all == [1, 1, 1, 1, 1, 1] && runs.value == 4 && calls.value == 0)
    withExtendedLifetime(observations) {}
  }

  /// A value that only the main actor may compare.
  private struct Isolated: @MainActor Equatable, Sendable {
    let number: Int

    @MainActor static func == (one: Isolated, other: Isolated) -> Bool { one.number == other.number }
  }

  @MainActor @Test func a9_valuesWithAnIsolatedComparisonAlwaysDiffer() {
    let (a, calls) = (Atom(Isolated(number: 1)), Tally())
    let copy = DerivedAtom { a.value }
    let observation = store.observe(copy, skip: 1) { _ in calls.add() }
    for _ in 0..<3 { store.set(a, Isolated(number: 1)) }
    #expect(calls.value == 3)
    observation.cancel()
  }

  /// A value whose comparison reads an atom.
  private struct Reader: Equatable, Sendable {
    let number: Int
    static let atom = Atom(0)

    static func == (one: Reader, other: Reader) -> Bool {
      _ = atom.value
      return one.number == other.number
    }
  }

  @Test func a8_anAtomThatAComparisonReadsIsNoDependency() {
    let (a, runs) = (Atom(1), Tally())
    let number = DerivedAtom { () -> Int in
      runs.add()
      return a.value / 10
    }
    let reader = DerivedAtom { Reader(number: number.value) }.debugLabel("reader")
    for value in 1...3 {
      store.set(a, value * 10)
      #expect(store.get(reader).number == value)
    }
    #expect(store.graph.dependencies(of: "reader").count == 1 && runs.value == 3)
  }
}
