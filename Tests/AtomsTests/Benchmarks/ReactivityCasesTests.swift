import Testing

@testable import Atoms

/// The eight cases of the js-reactivity-benchmark ("kairo"), with the optimal numbers of runs and calls.
///
/// Source: github.com/milomg/js-reactivity-benchmark.
@Suite struct ReactivityCasesTests {
  private let store = AtomStore()
  private let head = Atom(0)
  private let calls = Tally()
  private let runs = Tally()

  /// Watches an atom, without counting the first call.
  private func watch(_ atom: some ReadableAtom<Int>) -> AtomObservation {
    store.observe(atom, skip: 1) { [calls] _ in calls.add() }
  }

  @Test func deep() {
    var last = DerivedAtom { [head] in head.value }
    for _ in 0..<50 {
      let before = last
      last = DerivedAtom { before.value + 1 }
    }
    let observation = watch(last)
    for value in 1...50 {
      store.set(head, value)
      #expect(store.get(last) == 50 + value)
    }
    #expect(calls.value == 50)
    observation.cancel()
  }

  @Test func broad() {
    var observations: [AtomObservation] = []
    var last = DerivedAtom { 0 }
    for index in 0..<50 {
      let first = DerivedAtom { [head] in head.value + index }
      last = DerivedAtom { first.value + 1 }
      observations.append(watch(last))
    }
    for value in 1...50 {
      store.set(head, value)
      #expect(store.get(last) == value + 50)
    }
    #expect(calls.value == 2_500)
    for observation in observations { observation.cancel() }
  }

  @Test func diamond() {
    let sides = (0..<5).map { _ in DerivedAtom { [head] in head.value + 1 } }
    let sum = DerivedAtom { [runs] in
      runs.add()
      return sides.reduce(0) { $0 + $1.value }
    }
    let observation = watch(sum)
    runs.reset()
    for value in 1...500 {
      store.set(head, value)
      #expect(store.get(sum) == (value + 1) * 5)
    }
    #expect(calls.value == 500 && runs.value == 500)
    observation.cancel()
  }

  @Test func triangle() {
    var all = [DerivedAtom { [head] in head.value }]
    for _ in 0..<9 {
      let before = all[all.count - 1]
      all.append(DerivedAtom { before.value + 1 })
    }
    let sum = DerivedAtom { [runs, all] in
      runs.add()
      return all.reduce(0) { $0 + $1.value }
    }
    let observation = watch(sum)
    runs.reset()
    for value in 1...100 {
      store.set(head, value)
      #expect(store.get(sum) == 45 + 10 * value)
    }
    #expect(calls.value == 100 && runs.value == 100)
    observation.cancel()
  }

  @Test func mux() {
    let heads = (0..<100).map { _ in Atom(0) }
    let mux = DerivedAtom { heads.map(\.value) }
    let parts = heads.indices.map { index in DerivedAtom { mux.value[index] } }
    let ends = parts.map { part in
      DerivedAtom { [runs] in
        runs.add()
        return part.value + 1
      }
    }
    let observations = ends.map { watch($0) }
    runs.reset()
    for index in 0..<10 {
      store.set(heads[index], index)
      #expect(store.get(ends[index]) == index + 1)
    }
    for index in 0..<10 {
      store.set(heads[index], index * 2)
      #expect(store.get(ends[index]) == index * 2 + 1)
    }
    // The first head is 0 both times, which is an equal set. Of the last hundred, one runs for each other set.
    #expect(runs.value == 18 && calls.value == 18)
    for observation in observations { observation.cancel() }
  }

  @Test func repeatedObservers() {
    let sum = DerivedAtom { [runs, head] in
      runs.add()
      return (0..<30).reduce(0) { sum, _ in sum + head.value }
    }
    let observation = watch(sum)
    runs.reset()
    for value in 1...100 {
      store.set(head, value)
      #expect(store.get(sum) == value * 30)
    }
    #expect(calls.value == 100 && runs.value == 100)
    #expect(store.graph.atoms.first { $0.isDerived }?.dependencies.count == 1)
    observation.cancel()
  }

  @Test func unstable() {
    let (doubles, inverses) = (Tally(), Tally())
    let double = DerivedAtom { [head] in
      doubles.add()
      return head.value * 2
    }
    let inverse = DerivedAtom { [head] in
      inverses.add()
      return -head.value
    }
    let current = DerivedAtom { [head] in
      (0..<20).reduce(0) { sum, _ in sum + (head.value % 2 == 1 ? double.value : inverse.value) }
    }
    let observation = watch(current)
    doubles.reset()
    inverses.reset()
    for value in 1...100 {
      store.set(head, value)
      #expect(store.get(current) == (value % 2 == 1 ? value * 40 : -value * 20))
    }
    // Each of the two runs only for the sets after which it is read.
    #expect(calls.value == 100 && doubles.value == 50 && inverses.value == 50)
    observation.cancel()
  }

  @Test func avoidable() {
    let first = DerivedAtom { [head] in head.value }
    let second = DerivedAtom { first.value * 0 }
    let third = DerivedAtom { [runs] in
      runs.add()
      return second.value + 1
    }
    let fourth = DerivedAtom { third.value + 2 }
    let fifth = DerivedAtom { fourth.value + 3 }
    let observation = watch(fifth)
    runs.reset()
    for value in 1...1_000 {
      store.set(head, value)
      #expect(store.get(fifth) == 6)
    }
    #expect(runs.value == 0 && calls.value == 0)
    observation.cancel()
  }
}
