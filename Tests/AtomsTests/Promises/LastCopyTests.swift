import ActorStore
import Testing

@testable import Atoms

/// Names, nodes, and values of temporary atoms are released with the last copy, in every store and in any order (A30 to
/// A32).
@Suite struct LastCopyTests {
  private let stores = (0..<3).map { _ in AtomStore() }
  private let base = Atom(10, keepAlive: true)

  /// All orders of the first numbers, from zero.
  private static func orders(of count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return orders(of: count - 1).flatMap { rest in
      (0...rest.count).map { index in
        var order = rest
        order.insert(count - 1, at: index)
        return order
      }
    }
  }

  // MARK: Three stores

  /// The owners of an atom, of an atom that is derived from it, and of their uses in three stores.
  private struct Owners {
    static let count = 6

    private var owners: [(any Sendable)?]
    private(set) weak var sourceName: AnyAtomDefinition?
    private(set) weak var derivedName: AnyAtomDefinition?

    init(_ stores: [AtomStore], _ base: Atom<Int>, _ token: OnRelease) {
      let source = Atom(0)
      let derived = DerivedAtom { withExtendedLifetime(token) { source.value + base.value } }
      owners = [
        source, derived, stores[0].callAsCurrent { UseAtomValue(derived) }, stores[1].observe(derived) { _ in },
        stores[2].values(of: derived), stores[2].callAsCurrent { UseAtom(source) },
      ]
      for (index, store) in stores.enumerated() {
        store.set(source, index + 1)
        _ = store.get(derived)
      }
      sourceName = source.definition
      derivedName = derived.definition
    }

    /// The derived atom, until its owner is released.
    var derived: DerivedAtom<Int>? { owners[1] as? DerivedAtom<Int> }

    /// The value of the source in a store.
    func value(in store: Int) -> Int {
      let uses = [[2], [3], [4, 5]][store]
      return uses.contains { owners[$0] != nil } ? store + 1 : 0
    }

    mutating func release(_ owner: Int) { owners[owner] = nil }
  }

  @Test(arguments: [false, true]) func a32_atomsInThreeStoresGoInAnyOrder(isPinned: Bool) {
    for store in stores { #expect(store.get(base) == 10) }
    let (releases, orders) = (Tally(), Self.orders(of: Owners.count))
    let counts = stores.map(\.diagnostics.atoms)
    for (index, order) in orders.enumerated() {
      var owners = Owners(stores, base, OnRelease { releases.add() })
      func release() {
        for owner in order {
          owners.release(owner)
          if isPinned { continue }
          if let derived = owners.derived {
            // A value lives in each store as long as something there uses the atom.
            let (seen, expected) = (stores.map { $0.get(derived) - 10 }, (0..<3).map { owners.value(in: $0) })
            #expect(seen == expected, "\(order)")
          }
        }
      }
      // An evaluation in one store delays the release only in that store, and only until the evaluation ends.
      if isPinned { stores[index % 3].snapshot { release() } } else { release() }
      #expect(releases.value == index + 1 && stores.map(\.diagnostics.atoms) == counts, "\(order)")
      #expect(owners.sourceName == nil && owners.derivedName == nil, "\(order)")
    }
    for store in stores {
      let diagnostics = store.diagnostics
      #expect(diagnostics.kept == 0 && !diagnostics.isPinned && store.get(base) == 10)
      #expect(store.graph.atoms.allSatisfy { $0.watchers == 0 && $0.dependencies.isEmpty })
    }
  }

  /// The stores are owners, too, and a wrapper keeps its store alive.
  @Test func a32_storesAndAtomsGoInAnyOrder() {
    let releases = Tally()
    for (index, order) in Self.orders(of: 6).enumerated() {
      weak var (one, two) = (GraphHandle?.none, GraphHandle?.none)
      do {
        let (first, second, token) = (AtomStore(), AtomStore(), OnRelease { releases.add() })
        let source = Atom(0)
        let derived = DerivedAtom { withExtendedLifetime(token) { source.value + 1 } }
        var owners: [(any Sendable)?] = [
          first, second, source, derived, first.callAsCurrent { UseAtomValue(derived) },
          second.observe(derived) { _ in },
        ]
        for store in [first, second] { store.set(source, 5) }
        (one, two) = (first.handle, second.handle)
        for owner in order { owners[owner] = nil }
      }
      #expect(one == nil && two == nil && releases.value == index + 1, "\(order)")
    }
  }

  // MARK: Each type

  private struct Element: Sendable {}

  @Test func a32_atomsOfEachTypeLeaveNothingBehind() async {
    let store = stores[0]
    #expect(store.get(base) == 10)
    let base = base
    let (weak, count) = (Recorder<WeakName>(), store.diagnostics.atoms)
    for index in 0..<50 {
      let atom = Atom(index)
      let limited = WillSetAtom(0) { min($0, base.value) }
      let scaled = GetSetAtom {
        atom.value * 2
      } set: {
        atom.value = $0 / 2
      }
      let sum = DerivedAtom { atom.value + limited.value + scaled.value }
      let running = AsyncAtom { sum.value + 1 }
      let elements = AsyncSequenceAtom { AsyncStream<Int> { [sum = sum.value] in sum } }
      let all = DerivedAtom { (sum.value, running.value.loading, elements.value.loading) }
      for store in stores.prefix(2) {
        store.set(limited, 50)
        store.set(scaled, 8)
        #expect(store.get(sum) == 22 && store.get(all).0 == 22)
        store.inject(atom, value: 1)
        #expect(store.get(sum) == 13)
      }
      for definition in [atom.definition, limited.definition, scaled.definition, sum.definition] {
        weak.add(WeakName(definition))
      }
    }
    // The runs may not have ended yet.
    while stores.contains(where: \.diagnostics.isPinned) || store.diagnostics.atoms > count { await Task.yield() }
    #expect(store.diagnostics.atoms == count && weak.all.allSatisfy { $0.name == nil })
  }

  private final class WeakName: @unchecked Sendable {
    // Invariant: written once, before any other thread can access it.
    private(set) weak var name: AnyAtomDefinition?

    init(_ name: AnyAtomDefinition) { self.name = name }
  }

  // MARK: Wrappers that are destroyed elsewhere

  /// The place where a wrapper is destroyed.
  enum Place: CaseIterable {
    case detachedTask, thread, taskOfAnotherStore, callbackOfAnotherStore, derivationOfAnotherStore
    case transactionOfAnotherStore, runOfAnotherStore
  }

  private static let wrappers: [@Sendable (Atom<Int>) -> any Sendable] = [
    { UseAtom($0) }, { UseAtomValue($0) }, { CaptureAtom($0) }, { CaptureAtomValue($0) }, { CaptureAtomPublisher($0) },
    { atom in UseAtomValue(DerivedAtom { atom.value }) },
  ]

  @Test(arguments: Place.allCases) func a32_aWrapperThatDiesElsewhereCountsWhereItWasMade(_ place: Place) async throws {
    let (store, other) = (stores[0], stores[1])
    for makeWrapper in Self.wrappers {
      let (atom, box, trigger) = (Atom(0), Recorder<any Sendable>(), Atom(0))
      let uses = [other, AtomStore.shared].map { store in store.callAsCurrent { UseAtom(atom) } }
      for (index, store) in [store, other, AtomStore.shared].enumerated() { store.set(atom, index + 1) }
      store.callAsCurrent { box.add(makeWrapper(atom)) }
      // The use of a derived atom begins with its first computation.
      for wrapper in box.all { if let wrapper = wrapper as? UseAtomValue<Int> { _ = wrapper.wrappedValue } }
      store.set(atom, 1)
      switch place {
      case .detachedTask: await store.callAsCurrent { await Task.detached { box.reset() }.value }
      case .thread: onAnotherThread { box.reset() }
      case .taskOfAnotherStore: await other.callAsCurrent { await Task { box.reset() }.value }
      case .callbackOfAnotherStore:
        let observation = other.observe(trigger, skip: 1) { _ in box.reset() }
        other.set(trigger, 1)
        observation.cancel()
      case .derivationOfAnotherStore:
        let derived = DerivedAtom { () -> Int in
          box.reset()
          return 1
        }
        #expect(other.get(derived) == 1)
      case .transactionOfAnotherStore: other.transaction { box.reset() }
      case .runOfAnotherStore:
        let run = AsyncAtom { () async -> Int in
          box.reset()
          return 1
        }
        #expect(try await other.result(of: run) == 1)
      }
      #expect(box.all.isEmpty && store.get(atom) == 0)
      #expect(other.get(atom) == 2 && AtomStore.shared.get(atom) == 3)
      withExtendedLifetime(uses) {}
    }
  }

  // MARK: Limits

  /// A wrapper in a closure of any store, or in a run, does not count as a use.
  @Test func a30_wrappersInClosuresOfOtherStoresAndInRunsAreNoUses() async throws {
    let (store, other, atom, box) = (stores[0], stores[1], Atom(0), Recorder<UseAtom<Int>>())
    store.set(atom, 5)
    other.snapshot { store.callAsCurrent { box.add(UseAtom(atom)) } }
    other.transaction { store.callAsCurrent { box.add(UseAtom(atom)) } }
    let run = AsyncAtom { () async -> Int in
      store.callAsCurrent { box.add(UseAtom(atom)) }
      box.add(UseAtom(atom))
      return 1
    }
    #expect(try await store.result(of: run) == 1)
    #expect(box.all.count == 4)
    box.reset()
    #expect(store.get(atom) == 5)
  }

  @Test func a31_aReadInAnotherStoreIsNoUseThere() {
    let (store, other, atom) = (stores[0], stores[1], Atom(0))
    let copy = DerivedAtom { other.get(atom) + atom.value }
    let use = store.callAsCurrent { UseAtomValue(copy) }
    for store in [store, other] {
      let own = store.callAsCurrent { UseAtom(atom) }
      own.wrappedValue = 5
      #expect(use.wrappedValue == 5)
    }
    #expect(store.get(atom) == 5 && other.get(atom) == 0)
  }

  /// A wrapper in a value keeps the store that holds the value alive until the value is released.
  @Test func a32_aValueWithAWrapperKeepsItsStore() {
    weak var handle: GraphHandle?
    var holder: Atom<UseAtom<Int>?>? = Atom(nil)
    do {
      let (store, atom) = (AtomStore(), Atom(0))
      handle = store.handle
      if let holder { store.set(holder, store.callAsCurrent { UseAtom(atom) }) }
    }
    #expect(handle != nil)
    // The last copy of the atom releases the value.
    holder = nil
    #expect(handle == nil)
  }
}
