import ActorStore
import Atoms

/// Atoms beside a store, and uses of atoms.
enum AtomUses {
  private struct Account: Sendable {
    var balance = 0
  }

  /// Commits, and gets the committed value from an atom, beside getting it from a stream.
  static let bridge = Case(name: "store bridge", weight: 0.6, limit: .ratio(2.5)) { bench in
    let (streamed, linked) = (Store(Account()), Store(Account()))
    let balance = linked.select(\.balance).atom
    let sets = Tally()
    keep(balance.value)
    let figures = await bench.compare(to: "values(of:)") { count in
      await nanoseconds {
        var values = streamed.select(\.balance).values.makeAsyncIterator()
        keep(await values.next())
        for _ in 0..<count {
          await streamed.dispatch { $0.balance &+= 1 }
          keep(await values.next())
        }
      }
    } subject: { count in
      sets.add(count)
      return await nanoseconds {
        for _ in 0..<count {
          await linked.dispatch { $0.balance &+= 1 }
          keep(balance.value)
        }
      }
    }
    bench.expect("committed balance", balance.value, sets.total)
    return figures
  }

  // MARK: Derived atoms

  /// Sets an atom, and reads an atom that is derived from it.
  static let setAndRead = derived("set and read one derived", limit: 7) {
    let (source, derived) = makeDerived()
    return { count in
      for step in 0..<count {
        source.value = step
        keep(derived.value)
      }
    }
  }

  /// Sets an atom, and reads 1,000 atoms that are derived from it.
  static let fan = derived("1 source, 1000 derived", limit: 6, atLeast: 1_000) {
    let fan = AtomFan(1_000)
    return { count in
      for step in 0..<count / 1_000 { fan.update(step) }
    }
  }

  /// Sets the source of a watched derived atom.
  static let watched = derived("watched: set to callback", limit: 11) {
    let (source, derived) = makeDerived()
    let tally = Tally()
    let token = derived.observe { _ in tally.add(1) }
    return { count in
      let before = tally.total
      for step in 0..<count { source.value = step + before }
      withExtendedLifetime(token) {}
    }
  }

  private static func makeDerived() -> (Atom<Int>, DerivedAtom<Int>) {
    let source = Atom(-1)
    return (source, DerivedAtom { source.value &+ 1 })
  }

  /// Compares an operation with a write and a read of a dictionary behind a lock.
  private static func derived(
    _ name: String, limit: Double, atLeast least: Int = 1,
    _ make: @escaping @Sendable () -> @Sendable (_ count: Int) -> Void
  ) -> Case {
    Case(name: name, weight: 0.4, limit: .ratio(limit)) { bench in
      let atoms = (0..<64).map { _ in Atom(0) }
      let (table, operate) = (LockedTable(atoms), make())
      return await bench.compare(to: "write and read of a \(LockedTable.name)", atLeast: least) { count in
        await nanoseconds {
          for index in 0..<count {
            table.set(atoms[index % atoms.count], index)
            keep(table.get(atoms[index % atoms.count]))
          }
        }
      } subject: { count in
        let whole = max(least, count / least * least)
        return await nanoseconds { operate(whole) } * Double(count) / Double(whole)
      }
    }
  }

  // MARK: Uses

  /// Makes a wrapper, reads it, and drops it, which releases the value.
  static let useAndRelease = Case(name: "use and release", weight: 0.2) { bench in
    let base = Atom(0)
    let derived = DerivedAtom { base.value &+ 1 }
    return await bench.time { count in
      await nanoseconds {
        for _ in 0..<count {
          @UseAtomValue(derived) var value
          keep(value)
        }
      }
    }
  }
}
