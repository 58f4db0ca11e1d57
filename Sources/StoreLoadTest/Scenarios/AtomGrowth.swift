import ActorStore
import Atoms

/// The cost for each of many atoms, selections, or stores, compared with groups of a hundred.
enum AtomGrowth {
  static var cases: [Case] { [stores, selections, commit, storeTransaction, transaction, setters] }

  private static let many = 10_000
  private static let few = 100

  /// Compares one group of many with groups of a few.
  ///
  /// If the cost for each element grew with the number of elements, it would be a hundred times higher. The limit only
  /// allows for the additional cache misses of the large group, and for a busy machine.
  private static func `case`(_ name: String, _ time: @escaping @Sendable (Int) async -> Double) -> Case {
    Case(name: name, weight: 0.4, limit: .ratio(3)) { bench in
      await bench.compare(to: "\(few)", atLeast: many, atMost: many) { count in
        var elapsed = 0.0
        for _ in 0..<count / few { elapsed += await time(few) }
        return elapsed
      } subject: { count in
        await time(count)
      }
    }
  }

  private static let stores = `case`("first read in \(many) stores") { count in
    let (atom, stores) = (Atom(0), (0..<count).map { _ in AtomStore() })
    return await nanoseconds { for store in stores { keep(store.get(atom)) } }
  }

  private struct Numbers: Sendable {
    var all: [Int]
    var changes = 0

    init(_ count: Int) { all = Array(repeating: 0, count: count) }
  }

  private static let selections = `case`("\(many) atoms of a store") { count in
    let (numbers, store) = (Store(Numbers(count)), AtomStore())
    return await nanoseconds {
      let atoms = (0..<count).map { numbers.select(\.all[$0]).atom }
      for atom in atoms { keep(store.get(atom)) }
    }
  }

  /// Commits a change of one atom, beside the other ones.
  private static let commit = `case`("commit with \(many) atoms") { count in
    let (numbers, store, rounds) = (Store(Numbers(count)), AtomStore(), 4)
    let atoms = (0..<count).map { _ in numbers.select(\.changes).atom { $0.changes = $1 } }
    for atom in atoms { keep(store.get(atom)) }
    let elapsed = await nanoseconds { for round in 0..<rounds { await numbers.dispatch { $0.all[0] = round } } }
    withExtendedLifetime(atoms) {}
    return elapsed / Double(rounds)
  }

  /// Sets atoms of a store in a transaction, which is one commit of that store.
  private static let storeTransaction = `case`("transaction of \(many) atoms of a store") { count in
    let (numbers, store) = (Store(Numbers(count)), AtomStore())
    let atoms = (0..<count).map { index in numbers.select(\.all[index]).atom { $0.all[index] = $1 } }
    for atom in atoms { keep(store.get(atom)) }
    return await nanoseconds {
      store.transaction { for atom in atoms { store.set(atom, 1) } }
      await numbers.waitUntilIdle()
    }
  }

  private static let transaction = `case`("transaction of \(many) atoms") { count in
    let (store, atoms) = (AtomStore(), (0..<count).map { _ in Atom(0) })
    for atom in atoms { store.set(atom, 1) }
    return await nanoseconds { store.transaction { for atom in atoms { store.set(atom, 2) } } }
  }

  /// Sets an atom beside atoms whose setters have read other atoms.
  private static let setters = Case(name: "set beside \(many) setters", weight: 0.4, limit: .ratio(1.5)) { bench in
    let (beside, besideMany) = (BesideSetters(few), BesideSetters(many))
    return await bench.compare(to: "\(few)") { count in
      await nanoseconds { beside.change(count) }
    } subject: { count in
      await nanoseconds { besideMany.change(count) }
    }
  }

  private struct BesideSetters: Sendable {
    private let store = AtomStore()
    private let atom = Atom(0)
    private let setters: [GetSetAtom<Int>]

    init(_ count: Int) {
      setters = (0..<count).map { number in
        let (base, factor) = (Atom(0), Atom(number))
        return GetSetAtom {
          base.value
        } set: {
          base.value = $0 * factor.value
        }
      }
      for setter in setters { store.set(setter, 1) }
    }

    func change(_ count: Int) {
      for number in 0..<count { store.set(atom, number) }
    }
  }
}
