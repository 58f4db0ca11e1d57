import Atoms
import Synchronization

/// As many values as a store has atoms, in a dictionary behind a lock.
final class LockedTable: Sendable {
  static let name = "dictionary behind a Mutex"

  private let values: Mutex<[ObjectIdentifier: Int]>

  init(_ atoms: [Atom<Int>]) {
    values = Mutex(Dictionary(uniqueKeysWithValues: atoms.map { (ObjectIdentifier($0.definition), 0) }))
  }

  func get(_ atom: Atom<Int>) -> Int { values.withLock { $0[ObjectIdentifier(atom.definition)] } ?? 0 }

  func set(_ atom: Atom<Int>, _ value: Int) {
    values.withLock { $0[ObjectIdentifier(atom.definition)] = value }
  }
}

/// Many atoms that are derived from the same source.
struct AtomFan: Sendable {
  let source = Atom(0)
  let derived: [DerivedAtom<Int>]

  init(_ count: Int) {
    let source = source
    derived = (0..<count).map { index in DerivedAtom { source.value &+ index } }
  }

  /// Sets the source, and reads all derived atoms.
  func update(_ value: Int) {
    source.value = value
    for atom in derived { keep(atom.value) }
  }
}

/// A graph of atoms with one source and one result.
struct AtomNetwork: Sendable {
  let head = Atom(0)
  private(set) var top: DerivedAtom<Int>
  /// All derived atoms, each after the ones that it reads.
  private(set) var derived: [DerivedAtom<Int>] = []
  var count: Int { derived.count }

  /// A chain in which each atom adds one.
  static func chain(_ count: Int) -> AtomNetwork {
    AtomNetwork { network in
      for _ in 0..<count {
        let last = network.top
        network.add { last.value &+ 1 }
      }
    }
  }

  /// Diamonds on top of each other, each of three atoms.
  static func diamonds(_ count: Int) -> AtomNetwork {
    AtomNetwork { network in
      for _ in 0..<count {
        let last = network.top
        let left = network.add { last.value &+ 1 }
        let right = network.add { last.value &- 1 }
        network.add { (left.value &+ right.value) / 2 }
      }
    }
  }

  private init(_ build: (inout AtomNetwork) -> Void) {
    let head = head
    top = DerivedAtom { head.value }
    derived = [top]
    build(&self)
  }

  @discardableResult
  private mutating func add(_ body: @escaping @Sendable () -> Int) -> DerivedAtom<Int> {
    top = DerivedAtom(body)
    derived.append(top)
    return top
  }

  /// Computes everything from the base, so that nothing recurses.
  func warmUp(in store: AtomStore) {
    for atom in derived { _ = store.get(atom) }
  }
}
