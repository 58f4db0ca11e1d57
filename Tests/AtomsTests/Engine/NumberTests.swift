import ActorStore
import Synchronization
import TestSize
import Testing

@testable import Atoms

/// Atoms whose values are numbers, which their readers copy without a lock.
@Suite struct NumberTests {
  @Test func valuesOfEachSizeAreReadAsTheyWereSet() {
    expectValues([Int.min, -1, 0, .max])
    expectValues([Int8.min, -1, 0, .max])
    expectValues([Int16.min, -1, 0, .max])
    expectValues([Int32.min, -1, 0, .max])
    expectValues([Int64.min, -1, 0, .max])
    expectValues([UInt.min, 1, .max])
    expectValues([UInt8.min, 1, .max])
    expectValues([UInt16.min, 1, .max])
    expectValues([UInt32.min, 1, .max])
    expectValues([UInt64.min, 1, .max])
    expectValues([true, false])
    expectValues([Float.pi, -.infinity, .leastNonzeroMagnitude])
    expectValues([Double.pi, -.infinity, .leastNonzeroMagnitude])
  }

  private func expectValues<Value: Equatable & Sendable>(_ values: [Value]) {
    let store = AtomStore()
    let atom = Atom(values[0])
    let derived = DerivedAtom { [atom.value] }
    let same = DerivedAtom { atom.value }
    let seen = Mutex<[Value]>([])
    let observation = store.observe(same) { value in seen.withLock { $0.append(value) } }
    for value in values {
      store.set(atom, value)
      #expect(store.get(atom) == value && store.get(derived) == [value] && store.get(same) == value)
      #expect(store.snapshot { atom.value } == value)
    }
    #expect(seen.withLock { $0 } == values)
    store.reset(atom)
    #expect(store.get(same) == values[0])
    observation.cancel()
  }

  @Test func equalNumbersWithDifferentBitsAreNoChange() {
    let store = AtomStore()
    let atom = Atom(0.0)
    let runs = Atomic(0)
    let derived = DerivedAtom {
      runs.wrappingAdd(1, ordering: .relaxed)
      return 1 / (1 + abs(atom.value))
    }
    #expect(store.get(derived) == 1)
    store.set(atom, -0.0)
    #expect(store.get(atom).sign == .plus && store.get(derived) == 1 && runs.load(ordering: .relaxed) == 1)
    store.set(atom, .nan)
    #expect(store.get(derived).isNaN && runs.load(ordering: .relaxed) == 2)
    store.set(atom, .nan)
    #expect(store.get(derived).isNaN && runs.load(ordering: .relaxed) == 2)
  }

  @Test func aTransactionComparesNumbersByValue() {
    expectNoChange(from: 0.0, to: -0.0)
    expectNoChange(from: Double.nan, to: .nan)
    expectNoChange(from: Float(0), to: -0.0)
    expectNoChange(from: Float.nan, to: .nan)
    expectNoChange(from: UInt8.max, to: .max)
  }

  private func expectNoChange<Value: Equatable & Sendable>(from old: Value, to new: Value) {
    let store = AtomStore()
    let atom = Atom(old)
    let other = Atom(0)
    let count = Atomic(0)
    let observation = store.observe(DerivedAtom { [atom.value] }) { _ in count.wrappingAdd(1, ordering: .relaxed) }
    for number in 1...2 {
      store.transaction {
        other.value = number
        atom.value = new
      }
    }
    store.set(atom, new)
    #expect(count.load(ordering: .relaxed) == 1 && store.get(other) == 2)
    observation.cancel()
  }

  /// A derivation searches its first reads itself, and notes further ones in the cells.
  @Test(arguments: [1, 7, 8, 9, 40]) func repeatedReadsAreOneDependency(_ count: Int) {
    let store = AtomStore()
    let atoms = (0..<count).map { Atom($0) }
    let sum = DerivedAtom { (atoms + atoms.reversed() + atoms).reduce(0) { $0 + $1.value } }
    #expect(store.get(sum) == 3 * count * (count - 1) / 2)
    store.set(atoms[count - 1], 1_000)
    #expect(store.get(sum) == 3 * ((count - 1) * (count - 2) / 2 + 1_000))
    let node = store.core.cell(of: sum.definition).node
    #expect(store.core.state.withLock { $0.logic[node].dependencies.count } == count)
    #expect(store.core.state.withLock { $0.logic[store.core.cell(of: atoms[0].definition).node].dependents.count } == 1)
  }

  /// Publishing the result of a derived atom can also record the read.
  @Test(arguments: [1, 7, 8, 9, 40]) func repeatedReadsOfDerivedAtomsAreOneDependency(_ count: Int) {
    let store = AtomStore()
    let head = Atom(0)
    let numbers = (0..<count).map { index in DerivedAtom { head.value + index } }
    let texts = (0..<count).map { index in DerivedAtom { "\(head.value + index)" } }
    let sum = DerivedAtom { () -> Int in
      let sum = (numbers + numbers.reversed()).reduce(0) { $0 + $1.value }
      return (texts + texts.reversed()).reduce(sum) { $0 + (Int($1.value) ?? 0) }
    }
    for value in 0..<3 {
      store.set(head, value)
      #expect(store.get(sum) == 4 * (count * value + count * (count - 1) / 2))
    }
    let node = store.core.cell(of: sum.definition).node
    #expect(store.core.state.withLock { $0.logic[node].dependencies.count } == 2 * count)
    let last = store.core.cell(of: texts[count - 1].definition).node
    #expect(store.core.state.withLock { $0.logic[last].dependents.count } == 1)
  }

  @Test func theOnlyReadOfAnInvalidAtomIsADependency() {
    let store = AtomStore()
    let (one, other) = (Atom(0), Atom(0))
    let (left, right) = (DerivedAtom { one.value + 1 }, DerivedAtom { other.value + 1 })
    let sum = DerivedAtom { left.value + right.value }
    #expect(store.get(sum) == 2)
    for value in 1...3 {
      store.set(one, value)
      store.set(other, value)
      // The right atom is not up to date when the sum reads it.
      #expect(store.get(sum) == 2 * value + 2)
      store.set(other, 10 * value)
      #expect(store.get(sum) == 11 * value + 2)
    }
  }

  /// A reader whose value and stamps belong to different sets would see a mixture.
  @Test func threadsReadNumbersOfOneRevision() {
    let store = AtomStore()
    let (one, other) = (Atom(0), Atom(0))
    let isDone = Atomic(false)
    let mixtures = Atomic(0)
    let sets = TestSize.count(200_000)
    inThreads(3) { index in
      if index == 0 {
        for value in 1...sets {
          store.transaction {
            one.value = value
            other.value = -value
          }
        }
        return isDone.store(true, ordering: .relaxed)
      }
      while !isDone.load(ordering: .relaxed) {
        let sum = index == 1 ? store.snapshot { one.value + other.value } : store.snapshot { other.value + one.value }
        if sum != 0 { mixtures.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    #expect(mixtures.load(ordering: .relaxed) == 0)
    #expect(store.get(one) == sets && store.get(other) == -sets)
  }
}
