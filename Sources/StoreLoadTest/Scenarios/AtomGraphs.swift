import ActorStore
import Atoms
import HeapCalls

/// The cost of atoms, beside a dictionary behind a lock and a bare actor.
enum AtomGraphs {
  static let scenario = Scenario(
    name: "atoms", summary: "reads and sets of atoms, beside a locked dictionary and a bare actor", sizes: [.dispatches]
  ) { _ in
    [
      set, read, genericRead, AtomUses.setAndRead, AtomUses.fan, AtomUses.watched,
      network("chain of 10000", .chain(10_000)), network("100 diamonds", .diamonds(100)), wide,
      threads("4 readers", reading: true), threads("4 writers", reading: false), AtomUses.bridge,
      AtomUses.useAndRelease, AtomRuns.run, AtomRuns.many,
    ] + AtomGrowth.cases + AtomRuns.growth + memory
  }

  private static let atomCount = 64

  // MARK: Single operations

  private static let set = single("set", limit: 1.6) { table, atoms, count in
    for index in 0..<count { table.set(atoms[index % atomCount], index) }
  } subject: { atoms, count in
    for index in 0..<count { atoms[index % atomCount].value = index }
  }

  private static let read = single("read", limit: 1.5, baseline: reads) { atoms, count in
    var sum = 0
    for index in 0..<count { sum &+= atoms[index % atomCount].value }
    keep(sum)
  }

  private static let genericRead = single("read, generic client", limit: 2, baseline: reads) { atoms, count in
    for index in 0..<count { keep(unspecializedValue(of: atoms[index % atomCount])) }
  }

  @Sendable private static func reads(_ table: LockedTable, _ atoms: [Atom<Int>], _ count: Int) {
    var sum = 0
    for index in 0..<count { sum &+= table.get(atoms[index % atomCount]) }
    keep(sum)
  }

  private static func single(
    _ name: String,
    limit: Double,
    baseline: @escaping @Sendable (LockedTable, [Atom<Int>], Int) -> Void,
    subject: @escaping @Sendable ([Atom<Int>], Int) -> Void
  ) -> Case {
    Case(name: name, weight: 0.6, limit: .ratio(limit)) { bench in
      let atoms = (0..<atomCount).map { _ in Atom(0) }
      let table = LockedTable(atoms)
      for atom in atoms { atom.value = 1 }
      return await bench.compare(to: LockedTable.name) { count in
        await nanoseconds { baseline(table, atoms, count) }
      } subject: { count in
        await nanoseconds { subject(atoms, count) }
      }
    }
  }

  // MARK: Graphs

  private static func network(_ name: String, _ make: @autoclosure @escaping @Sendable () -> AtomNetwork) -> Case {
    Case(name: name, weight: 1.2, limit: .ratio(4)) { bench in
      let (network, bare, sets) = (make(), BareCounter(), Tally())
      network.warmUp(in: .shared)
      let figures = await bench.compare(to: BareCounter.name, atLeast: network.count) { count in
        await nanoseconds { await bareCalls(bare, count) }
      } subject: { count in
        let rounds = max(1, count / network.count)
        let elapsed = await nanoseconds {
          for _ in 0..<rounds {
            network.head.value &+= 1
            keep(network.top.value)
          }
        }
        sets.add(rounds)
        // The baseline is per call, so the subject is per node.
        return elapsed * Double(count) / Double(rounds * network.count)
      }
      bench.expect("sets", network.head.value, sets.total)
      return figures
    }
  }

  /// Changes one of many atoms, and reads what is derived from it and from another one.
  private static let wide = Case(name: "1 of 10000", weight: 0.6, limit: .ratio(1.2)) { bench in
    let (few, many) = (Wide(100), Wide(10_000))
    return await bench.compare(to: "1 of 100") { count in
      await nanoseconds { few.change(count) }
    } subject: { count in
      await nanoseconds { many.change(count) }
    }
  }

  private struct Wide: Sendable {
    let heads: [Atom<Int>]
    let derived: [DerivedAtom<Int>]

    init(_ count: Int) {
      heads = (0..<count).map { _ in Atom(0) }
      derived = heads.map { head in DerivedAtom { head.value &+ 1 } }
      for atom in derived { keep(atom.value) }
    }

    func change(_ count: Int) {
      for step in 0..<count {
        heads[7].value = step
        keep(derived[7].value &+ derived[8].value)
      }
    }
  }

  // MARK: Threads

  private static func threads(_ name: String, reading: Bool) -> Case {
    Case(name: name, weight: 0.8, limit: .ratio(reading ? 1 : 1.2)) { bench in
      let atoms = (0..<4).map { _ in (0..<100).map { _ in Atom(0) } }
      for atom in atoms.joined() { atom.value = 1 }
      let load = { @Sendable (task: Int, count: Int) in
        let own = atoms[task]
        if reading {
          var sum = 0
          for step in 0..<count { sum &+= own[step % 100].value }
          keep(sum)
        } else {
          for step in 0..<count { own[step % 100].value = step }
        }
      }
      return await bench.compare(to: reading ? "1 reader" : "1 writer", atLeast: 4) { count in
        await nanoseconds { load(0, count) }
      } subject: { count in
        await nanoseconds { await inTasks(4, sharing: count) { load($0, $1) } }
      }
    }
  }

  // MARK: Memory

  private static var memory: [Case] {
    // Only glibc reports how much of its heap is in use.
    if heap_bytes_in_use() == 0 { return [] }
    return [
      Case(name: "idle atom", weight: 0.1, limit: .bytes(250)) { _ in
        measure { _ in
          Atom(0)
        } use: {
          $0.value = 1
        }
      },
      Case(name: "idle derived atom", weight: 0.1, limit: .bytes(300)) { _ in
        let sources = (0..<idleCount).map { _ in Atom(0) }
        for source in sources { source.value = 1 }
        let figures = measure { index in
          let source = sources[index]
          return DerivedAtom { source.value &+ 1 }
        } use: {
          keep($0.value)
        }
        withExtendedLifetime(sources) {}
        return figures
      },
    ]
  }

  private static let idleCount = 100_000

  private static func measure<A>(_ make: (Int) -> A, use: (A) -> Void) -> Figures {
    var atoms: [A] = []
    atoms.reserveCapacity(idleCount)
    let before = heap_bytes_in_use()
    for index in 0..<idleCount {
      atoms.append(make(index))
      use(atoms[index])
    }
    let bytes = (heap_bytes_in_use() - before) / idleCount
    withExtendedLifetime(atoms) {}
    return Figures(operations: idleCount, heapBytes: bytes)
  }
}

/// Keeps the optimizer from removing a computation.
@inline(never)
func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// Reads an atom as generic code of another module does that is not specialized.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
func unspecializedValue<A: ReadableAtom>(of atom: A) -> A.Value { atom.value }
