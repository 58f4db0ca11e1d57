import Testing

@testable import Atoms

/// The eight cases of the js-reactivity-benchmark ("kairo"), with the optimal numbers of runs and calls.
///
/// The graphs and the sets are those of the benchmark. As in the benchmark, each case sets the head to 1 before it
/// counts, so that the first counted set, to 0, is a change. The benchmark itself counts only calls of the effects, and
/// has commented out some of these checks.
///
/// Source: github.com/milomg/js-reactivity-benchmark, `packages/core/src/benches/kairo`.
@Suite struct ReactivityCasesTests {
  private let store = AtomStore()
  private let head = Atom(0)
  /// The calls of watchers, which are the benchmark's effects.
  private let calls = Tally()

  /// Watches an atom, without counting the first call.
  private func watch(_ atom: some ReadableAtom<Int>) -> AtomObservation {
    store.observe(atom, skip: 1) { [calls] _ in calls.add() }
  }

  /// A derived atom that counts its runs.
  private func derived<Value>(_ runs: Tally, _ body: @escaping @Sendable () -> Value) -> DerivedAtom<Value> {
    DerivedAtom {
      runs.add()
      return body()
    }
  }

  /// Sets the head to 1, and then to each number in a range, and expects the value of an atom after each set.
  ///
  /// Only the sets of the range count.
  private func run(
    _ range: Range<Int>, _ tallies: Tally..., expecting atom: DerivedAtom<Int>, _ value: (Int) -> Int
  ) {
    store.set(head, 1)
    #expect(store.get(atom) == value(1))
    for tally in tallies + [calls] { tally.reset() }
    for number in range {
      store.set(head, number)
      #expect(store.get(atom) == value(number))
    }
  }

  @Test func deep() {
    let runs = Tally()
    var last = derived(runs) { [head] in head.value + 1 }
    for _ in 1..<50 {
      let before = last
      last = derived(runs) { before.value + 1 }
    }
    let observation = watch(last)
    run(0..<50, runs, expecting: last) { 50 + $0 }
    #expect(calls.value == 50 && runs.value == 50 * 50)
    observation.cancel()
  }

  @Test func broad() {
    let (firsts, seconds) = (Tally(), Tally())
    var observations: [AtomObservation] = []
    var last = DerivedAtom { 0 }
    for index in 0..<50 {
      let first = derived(firsts) { [head] in head.value + index }
      last = derived(seconds) { first.value + 1 }
      observations.append(watch(last))
    }
    run(0..<50, firsts, seconds, expecting: last) { $0 + 50 }
    #expect(calls.value == 50 * 50 && firsts.value == 50 * 50 && seconds.value == 50 * 50)
    for observation in observations { observation.cancel() }
  }

  @Test func diamond() {
    let (sides, sums) = (Tally(), Tally())
    let current = (0..<5).map { _ in derived(sides) { [head] in head.value + 1 } }
    let sum = derived(sums) { current.reduce(0) { $0 + $1.value } }
    let observation = watch(sum)
    run(0..<500, sides, sums, expecting: sum) { ($0 + 1) * 5 }
    #expect(calls.value == 500 && sides.value == 5 * 500 && sums.value == 500)
    observation.cancel()
  }

  @Test func triangle() {
    let (steps, unread, sums) = (Tally(), Tally(), Tally())
    // The list begins with the head. The benchmark makes one more atom, which nothing reads.
    var list = [derived(steps) { [head] in head.value + 1 }]
    for _ in 2..<10 {
      let before = list[list.count - 1]
      list.append(derived(steps) { before.value + 1 })
    }
    let end = derived(unread) { [list] in list[8].value + 1 }
    let sum = derived(sums) { [head, list] in list.reduce(head.value) { $0 + $1.value } }
    let observation = watch(sum)
    let constant = (1...10).reduce(0, +)
    run(0..<100, steps, unread, sums, expecting: sum) { constant - 10 + 10 * $0 }
    #expect(calls.value == 100 && steps.value == 9 * 100 && unread.value == 0 && sums.value == 100)
    withExtendedLifetime(end) {}
    observation.cancel()
  }

  @Test func mux() {
    let (muxes, parts, ends) = (Tally(), Tally(), Tally())
    let heads = (0..<100).map { _ in Atom(0) }
    let mux = derived(muxes) { Dictionary(uniqueKeysWithValues: heads.map(\.value).enumerated().map { ($0, $1) }) }
    let split = heads.indices.map { index in derived(parts) { mux.value[index] ?? 0 } }
      .map { part in derived(ends) { part.value + 1 } }
    let observations = split.map { watch($0) }
    for tally in [muxes, parts, ends, calls] { tally.reset() }
    for index in 0..<10 {
      store.set(heads[index], index)
      #expect(store.get(split[index]) == index + 1)
    }
    for index in 0..<10 {
      store.set(heads[index], index * 2)
      #expect(store.get(split[index]) == index * 2 + 1)
    }
    // The first head is 0 both times, which is an equal set. Of the hundred ends, one runs for each other set.
    #expect(muxes.value == 18 && parts.value == 18 * 100 && ends.value == 18 && calls.value == 18)
    for observation in observations { observation.cancel() }
  }

  @Test func repeatedObservers() {
    let runs = Tally()
    let current = derived(runs) { [head] in (0..<30).reduce(0) { sum, _ in sum + head.value } }
    let observation = watch(current)
    run(0..<100, runs, expecting: current) { $0 * 30 }
    #expect(calls.value == 100 && runs.value == 100)
    #expect(store.graph.atoms.first { $0.isDerived }?.dependencies.count == 1)
    observation.cancel()
  }

  @Test func unstable() {
    let (doubles, inverses, runs) = (Tally(), Tally(), Tally())
    let double = derived(doubles) { [head] in head.value * 2 }
    let inverse = derived(inverses) { [head] in -head.value }
    let current = derived(runs) { [head] in
      (0..<20).reduce(0) { sum, _ in sum + (head.value % 2 == 1 ? double.value : inverse.value) }
    }
    let observation = watch(current)
    run(0..<100, doubles, inverses, runs, expecting: current) { $0 % 2 == 1 ? $0 * 2 * 20 : $0 * -20 }
    // Each of the two runs only for the sets after which it is read.
    #expect(calls.value == 100 && runs.value == 100 && doubles.value == 50 && inverses.value == 50)
    observation.cancel()
  }

  @Test func avoidable() {
    let (firsts, seconds, others) = (Tally(), Tally(), Tally())
    let first = derived(firsts) { [head] in head.value }
    let second = derived(seconds) {
      _ = first.value
      return 0
    }
    let third = derived(others) { second.value + 1 }
    let fourth = derived(others) { third.value + 2 }
    let fifth = derived(others) { fourth.value + 3 }
    let observation = watch(fifth)
    run(0..<1_000, firsts, seconds, others, expecting: fifth) { _ in 6 }
    #expect(firsts.value == 1_000 && seconds.value == 1_000 && others.value == 0 && calls.value == 0)
    observation.cancel()
  }
}
