import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import TestSize
import Testing

/// Mistakes that appear only if another thread acts between two calls, where no task suspends.
///
/// Each mistake has a fixed version, which must pass.
@Suite struct PlantedRaceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Runs two or three tasks, and throws if the result is wrong.
    let run: @Sendable (_ isFixed: Bool) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (_ isFixed: Bool) async throws -> Void) {
      testDescription = name
      self.run = run
    }
  }

  private static func both(
    _ first: @escaping @Sendable () async -> Void, _ second: @escaping @Sendable () async -> Void
  ) async {
    await withTaskGroup { group in
      group.addTask { await first() }
      group.addTask { await second() }
    }
  }

  private static func twice(_ body: @escaping @Sendable () async -> Void) async { await both(body, body) }

  struct Stock: Sendable { var left = 1, sold = 0 }

  static let cases = [
    Case("crossing dispatches are deferred") { isFixed in
      let (a, b) = (Store(0), Store(0))
      @Sendable func isDeferred(_ outer: Store<Int>, _ inner: Store<Int>) async -> Bool {
        if isFixed {
          await outer.dispatch { (_: inout Int) async in }
          return await !inner.dispatch { $0 += 1 }.isCommitted
        }
        let outcome = await outer.dispatch { (_: inout Int) async in await inner.dispatch { $0 += 1 }.isCommitted }
        return outcome.output == false
      }
      let isAny = await withTaskGroup(of: Bool.self) { group in
        group.addTask { await isDeferred(a, b) }
        group.addTask { await isDeferred(b, a) }
        return await group.reduce(false) { $0 || $1 }
      }
      try Simulation.expect(!isAny, "a call was deferred")
    },
    Case("an increment of an atom is lost") { isFixed in
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      await twice {
        store.callAsCurrent { if isFixed { atom.update { $0 += 1 } } else { atom.value += 1 } }
      }
      try Simulation.expect(store.get(atom) == 2)
    },
    Case("a state changes between a check and an action") { isFixed in
      let store = Store(Stock())
      await twice {
        if isFixed {
          await store.dispatch { stock in
            if stock.left > 0 { (stock.left, stock.sold) = (stock.left - 1, stock.sold + 1) }
          }
        } else if await store.state.left > 0 {
          await store.dispatch { stock in (stock.left, stock.sold) = (stock.left - 1, stock.sold + 1) }
        }
      }
      try await Simulation.expect(store.state.sold == 1)
    },
    Case("an atom changes between a check and a set") { isFixed in
      let (store, left, sold) = (AtomStore(), Atom(1, keepAlive: true), Atom(0, keepAlive: true))
      await twice {
        if isFixed {
          store.transaction { if left.value > 0 { (left.value, sold.value) = (left.value - 1, sold.value + 1) } }
        } else if store.get(left) > 0 {
          store.transaction { (left.value, sold.value) = (left.value - 1, sold.value + 1) }
        }
      }
      try Simulation.expect(store.get(sold) == 1)
    },
    Case("a canceled ticket has run") { isFixed in
      let store = Store(0)
      let ticket = store.send { (count: inout Int) async in count += 1 }
      ticket.cancel()
      let hasRun = isFixed ? await ticket.outcome.isCommitted : false
      _ = await ticket.outcome
      try await Simulation.expect(store.state == (hasRun ? 1 : 0))
    },
    Case("an increment through a binding is lost") { isFixed in
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      await twice {
        store.callAsCurrent {
          let wrapper = UseAtom(atom)
          if isFixed { atom.update { $0 += 1 } } else { wrapper.projectedValue.wrappedValue += 1 }
        }
      }
      try Simulation.expect(store.get(atom) == 2)
    },
    Case("an increment of a member of a family is lost") { isFixed in
      let (store, family) = (AtomStore(), AtomFamily { (_: Int) in Atom(0, keepAlive: true) })
      let member = family(1)
      await twice {
        store.callAsCurrent { if isFixed { family(1).update { $0 += 1 } } else { family(1).value += 1 } }
      }
      try Simulation.expect(store.get(member) == 2)
    },
    Case("a selection is old when an action uses it") { isFixed in
      let (atoms, store) = (AtomStore(), Store(Stock()))
      let sold = store.select(\.sold).atom
      await twice {
        if isFixed {
          await store.dispatch { $0.sold += 1 }
        } else {
          let seen = atoms.get(sold)
          await store.dispatch { $0.sold = seen + 1 }
        }
      }
      try await Simulation.expect(store.state.sold == 2)
    },
    Case("a cancellation is lost") { isFixed in
      let (atoms, isCanceled) = (AtomStore(), Atom(false, keepAlive: true))
      let ticket = Atom<Bool>(false, keepAlive: true)
      let isRunning = Atom(false, keepAlive: true)
      await both {
        if isFixed {
          // The check and the announcement are one step.
          atoms.transaction { if !isCanceled.value { (ticket.value, isRunning.value) = (true, true) } }
        } else if !atoms.get(isCanceled) {
          atoms.transaction { (ticket.value, isRunning.value) = (true, true) }
        }
      } _: {
        atoms.transaction {
          isCanceled.value = true
          if ticket.value { isRunning.value = false }
        }
      }
      try Simulation.expect(!atoms.get(isRunning), "the work runs, although it was canceled")
    },
    Case("a use begins too late to keep a value") { isFixed in
      let (store, atom) = (AtomStore(), Atom(0))
      let seen = Recorder<Int>()
      await both {
        store.callAsCurrent {
          let early = isFixed ? UseAtom(atom) : nil
          atom.value = 5
          let use = UseAtom(atom)
          seen.add(use.wrappedValue)
          withExtendedLifetime((early, use)) {}
        }
      } _: {
        store.callAsCurrent { withExtendedLifetime(UseAtom(atom)) {} }
      }
      try Simulation.expect(seen.all == [5])
    },
    Case("a snapshot is old when a set uses it") { isFixed in
      let (store, a, b) = (AtomStore(), Atom(1, keepAlive: true), Atom(0, keepAlive: true))
      await both {
        if isFixed {
          store.transaction { b.value = a.value }
        } else {
          let seen = store.snapshot { a.value }
          store.set(b, seen)
        }
      } _: {
        store.transaction { (a.value, b.value) = (2, 2) }
      }
      try Simulation.expect(store.get(a) == store.get(b))
    },
    Case("a value behind a lock changes between two calls") { isFixed in
      let count = Counter()
      await twice {
        if isFixed {
          count.add(1)
        } else {
          let seen = count.value
          count.value = seen + 1
        }
      }
      try Simulation.expect(count.value == 2)
    },
  ]

  /// A user's own synchronous code, which calls `Simulation.point()`.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int {
      get {
        Simulation.point()
        return count.withLock { $0 }
      }
      set {
        Simulation.point()
        count.withLock { $0 = newValue }
      }
    }

    func add(_ number: Int) {
      Simulation.point()
      count.withLock { $0 += number }
    }
  }

  @Test(arguments: cases) func isFoundByTheDefaultStrategy(_ planted: Case) throws {
    let failure = #expect(throws: Simulation.Failure.self) { try Simulation.explore { try await planted.run(false) } }
    #expect(failure?.error is Simulation.ExpectationFailed, "\(String(describing: failure))")
  }

  @Test(arguments: cases) func isFoundByAnExhaustiveSearch(_ planted: Case) throws {
    #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.exhaustive(), schedules: 1_000) { try await planted.run(false) }
    }
  }

  /// Replaying the reported schedule fails again.
  @Test(arguments: cases) func failsAgainWhenReplayed(_ planted: Case) throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore { try await planted.run(false) }
    }
    #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.replay(failure.schedule)) { try await planted.run(false) }
    }
  }

  @Test(arguments: cases) func theFixedVersionPasses(_ planted: Case) throws {
    try Simulation.explore { try await planted.run(true) }
    let found = try Simulation.explore(.exhaustive(maxPreemptions: TestSize.length(3, short: 2)), schedules: 100_000) {
      try await planted.run(true)
    }
    #expect(found.isComplete, "\(found)")
  }
}
