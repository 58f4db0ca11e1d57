import ActorStore
import Testing

@testable import Atoms

/// The addresses of cells in definitions, and the table for all others.
@Suite struct HomeCellTests {
  private let atom = Atom(0)

  @Test func onlyASecondStoreNeedsItsTable() {
    let (first, second) = (AtomStore(), AtomStore())
    first.set(atom, 1)
    second.set(atom, 2)
    #expect(first.get(atom) == 1 && second.get(atom) == 2)
    #expect(first.core.table.count == 0 && second.core.table.count == 1)
  }

  /// The address of a cell of the former store must not count in the new one.
  @Test func anAtomOutlivesItsStores() {
    for value in 1...100 {
      let store = AtomStore()
      #expect(store.get(atom) == 0)
      store.set(atom, value)
      #expect(store.get(atom) == value && store.core.table.count == 0)
    }
  }

  /// When the first store goes, a third one gets its place, and the second one keeps its value.
  @Test func theNextStoreTakesThePlaceOfTheFirst() {
    let second = AtomStore()
    do {
      let first = AtomStore()
      first.set(atom, 1)
      second.set(atom, 2)
    }
    let third = AtomStore()
    #expect(third.get(atom) == 0 && second.get(atom) == 2)
    third.set(atom, 3)
    #expect(third.core.table.count == 0 && second.core.table.count == 1)
    #expect(second.get(atom) == 2 && third.get(atom) == 3)
  }

  @Test func threadsWithTheirOwnStoresShareAtoms() {
    let atoms = (0..<8).map { _ in Atom(0) }
    let derived = atoms.map { atom in DerivedAtom { atom.value + 1 } }
    let wrong = Locked(0)
    inThreads(4) { index in
      for round in 1...200 {
        let store = AtomStore()
        for (atom, plusOne) in zip(atoms, derived) {
          store.set(atom, 1_000 * index + round)
          if store.get(plusOne) != 1_000 * index + round + 1 { wrong.withLock { $0 += 1 } }
        }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  /// A hidden atom finds the atom that users know by its address.
  @Test func visibleAtomsAreInTheTable() {
    let store = AtomStore()
    let upper = WillSetAtom("") { $0.uppercased() }
    store.set(upper, "a")
    #expect(store.get(upper) == "A")
    let visible = store.core.cell(of: upper.definition)
    let hidden = store.core.cell(of: upper.definition.resetTarget)
    #expect(hidden !== visible && store.core.visibleCell(of: hidden.definition) === visible)
  }

  @Test func labelsNameTheFile() {
    #expect(SourceFile("Module/File.swift").description == "Module/File.swift")
    #expect(SourceFile("").description == "")
    #expect(SourceFile(StaticString(unicodeScalarLiteral: "é")).description == "é")
    #expect(Atom(0, fileID: "M/É.swift", line: 7).definition.label == "M/É.swift:7")
    #expect(Atom(0, fileID: "F", line: .max).definition.label == "F:\(1 << 30 - 1)")
  }

  @Test(arguments: [.unstated, .whileUsed, .kept, .kept(for: .seconds(2))] as [AtomLifetime])
  func aDefinitionKeepsItsLifetime(_ lifetime: AtomLifetime) {
    let definition = Atom(0, lifetime: lifetime, fileID: "F", line: 7).definition
    #expect(definition.lifetime == lifetime && definition.label == "F:7")
  }
}
