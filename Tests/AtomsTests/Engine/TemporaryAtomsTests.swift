import TestSize
import Testing

@testable import Atoms

/// Atoms that are made, watched, set, and dropped leave nothing behind, in whatever order their owners go.
@Suite struct TemporaryAtomsTests {
  #if DEBUG
    private static let count = TestSize.length(6_000, short: 2_000)
  #else
    private static let count = TestSize.length(1_000_000, short: 2_000)
  #endif

  /// The orders in which four owners can go.
  private static let orders = (0..<4).flatMap { first in
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { rest in
      [first] + rest.map { $0 < first ? $0 : $0 + 1 }
    }
  }

  /// The owners of an atom, an atom that is derived from it, a watcher of that, and a wrapper.
  private struct Owners {
    private var source: Atom<Int>?
    private var derived: DerivedAtom<Int>?
    private var observation: AtomObservation?
    private var use: UseAtomValue<Int>?

    init(_ store: AtomStore, _ base: Atom<Int>, _ token: OnRelease, _ seen: Tally) {
      let source = Atom(0)
      let derived = DerivedAtom { () -> Int in
        withExtendedLifetime(token) { source.value + base.value }
      }
      observation = store.observe(derived) { _ in seen.add() }
      use = store.callAsCurrent { UseAtomValue(derived) }
      store.set(source, 1)
      self.source = source
      self.derived = derived
    }

    mutating func release(_ owner: Int) {
      switch owner {
      case 0: source = nil
      case 1: derived = nil
      case 2: observation = nil
      default: use = nil
      }
    }
  }

  @Test func nothingIsLeftBehind() {
    let (store, base, releases, seen) = (AtomStore(), Atom(10), Tally(), Tally())
    for index in 0..<Self.count {
      var owners = Owners(store, base, OnRelease { releases.add() }, seen)
      // Some owners go while an evaluation may still see the atoms.
      let isPinned = index % 100 == 0
      func release() { for owner in Self.orders[index % Self.orders.count] { owners.release(owner) } }
      if isPinned { store.snapshot { release() } } else { release() }
    }
    #expect(releases.value == Self.count && seen.value == 2 * Self.count)
    let diagnostics = store.diagnostics
    #expect(diagnostics.atoms == 1 && diagnostics.kept == 0 && !diagnostics.isPinned)
    // The source that all have read still works.
    store.set(base, 20)
    #expect(store.get(base) == 20 && seen.value == 2 * Self.count)
    #expect(store.graph.atoms.allSatisfy { $0.watchers == 0 })
  }

  /// Many atoms exist at the same time, so the table of a store grows, and then empties.
  @Test func manyAtomsAtTheSameTime() {
    let (store, releases) = (AtomStore(), Tally())
    for round in 0..<3 {
      var atoms = (0..<2_000).map { Atom($0 + round) }
      let token = OnRelease { releases.add() }
      var sums = atoms.map { atom in DerivedAtom { withExtendedLifetime(token) { atom.value * 2 } } }
      for (index, sum) in sums.enumerated() { #expect(store.get(sum) == 2 * (index + round)) }
      #expect(withExtendedLifetime((atoms, sums)) { store.diagnostics.atoms } == 4_000)
      if round % 2 == 0 { atoms.removeAll() } else { sums.removeAll() }
      // A derivation holds the atom that it reads.
      let left = withExtendedLifetime((atoms, sums)) { store.diagnostics.atoms }
      #expect(left == (round % 2 == 0 ? 4_000 : 2_000))
      (atoms, sums) = ([], [])
      #expect(store.diagnostics.atoms == 0)
    }
    #expect(releases.value == 3)
  }
}
