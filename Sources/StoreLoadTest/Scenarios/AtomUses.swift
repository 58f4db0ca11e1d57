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
