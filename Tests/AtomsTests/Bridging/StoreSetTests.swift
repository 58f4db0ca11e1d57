import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// The moment at which a set of a writable atom of a `Store` takes effect (A35).
@Suite struct StoreSetTests {
  private let atoms = AtomStore()
  private let wallet = Store(Wallet())

  private var cents: StoreAtom<Int> { wallet.select(\.cents).atom { $0.cents = $1 } }

  @Test func a35_aReadAfterASetHasTheFormerValueUntilTheCommit() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let cents = wallet.select(\.cents).atom { $0.cents = $1 }
      await withTaskGroup { group in
        group.addTask {
          await wallet.dispatch { wallet async in
            await Task.yield()
            wallet.cents = 1
            // The set waits for this action.
            atoms.set(cents, 5)
            atoms.set(cents, 6)
            wallet.count = atoms.get(cents)
          }
        }
      }
      // A dispatch runs after all actions that were sent before it.
      let seen = await wallet.dispatch { $0 }
      try Simulation.expect(seen.output == Wallet(cents: 6), "the state is \(String(describing: seen.output))")
      try Simulation.expect(atoms.get(cents) == 6, "the atom has \(atoms.get(cents))")
    }
  }

  @Test func a35_aSetInAnActionRunsAfterIt() async {
    let (atoms, cents) = (atoms, cents)
    let seen = await wallet.dispatch { wallet -> Int in
      atoms.set(cents, 5)
      wallet.cents += 1
      return atoms.get(cents)
    }
    #expect(seen.output == 0)
    #expect(await wallet.dispatch { $0 }.output == Wallet(cents: 5))
  }

  /// A set in a guard runs after the action and after the waiting actions.
  private struct Reset: Guard {
    let set: @Sendable () -> Void

    func didUpdate<A: Action<Wallet>>(_ action: A, old: Wallet?, new: Wallet) { if new.cents > 9 { set() } }
  }

  @Test func a35_aSetInAGuardRunsAfterTheAction() async {
    let (atoms, atom) = (atoms, Recorder<StoreAtom<Int>>())
    let wallet = Store(Wallet(), guards: [Reset { for cents in atom.all { atoms.set(cents, 0) } }])
    atom.add(wallet.select(\.cents).atom { $0.cents = $1 })
    let outcome = await wallet.dispatch { wallet -> Int in
      wallet.cents = 10
      return wallet.cents
    }
    #expect(outcome.output == 10)
    #expect(await wallet.dispatch { $0.cents }.output == 0 && atoms.get(atom.all[0]) == 0)
    atom.reset()
  }

  /// The commit has ended when the action that the watcher sent begins.
  @Test func a35_aSetInAWatcherIsACommitOfItsOwn() async {
    let (atoms, cents, seen) = (atoms, cents, Recorder<String>())
    let observation = atoms.observe(cents, skip: 1) { value in
      seen.add("begin \(value)")
      if value < 3 { atoms.set(cents, value + 1) }
      seen.add("end \(atoms.get(cents))")
    }
    await wallet.dispatch(Add(cents: 1))
    await wallet.waitUntilIdle()
    #expect(seen.all == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    withExtendedLifetime(observation) {}
  }

  /// A watcher holds the turn, so it must not block its thread until another action ends.
  @Test func a35_noActionRunsBeforeAWatcherReturns() async {
    let (wallet, seen) = (wallet, Recorder<String>())
    let observation = atoms.observe(wallet.select(\.cents).atom, skip: 1) { value in
      wallet.send { wallet in seen.add("action after \(wallet.cents)") }
      onAnotherThread { wallet.send { wallet in seen.add("another action after \(wallet.cents)") } }
      seen.add("the watcher returns")
    }
    await wallet.dispatch(Add(cents: 1))
    await wallet.waitUntilIdle()
    #expect(seen.all == ["the watcher returns", "action after 1", "another action after 1"])
    withExtendedLifetime(observation) {}
  }

  /// A dispatch returns after the watchers, unless another thread delivers.
  @Test func a18_theDeliveringThreadOffersACommit() async {
    let (atoms, cents, number, seen) = (atoms, wallet.select(\.cents).atom, Atom(0), Recorder<String>())
    let committing = wallet
    let watch = atoms.observe(cents, skip: 1) { seen.add("watcher of \($0)") }
    await wallet.dispatch(Add(cents: 1))
    seen.add("returned")
    let other = atoms.observe(number, skip: 1) { _ in
      onAnotherThread {
        // The mutation runs inside the call, on this thread.
        committing.send(Add(cents: 1))
        seen.add("sent, with \(atoms.get(cents))")
      }
    }
    atoms.set(number, 1)
    await wallet.waitUntilIdle()
    #expect(seen.all == ["watcher of 1", "returned", "sent, with 2", "watcher of 2"])
    withExtendedLifetime((watch, other)) {}
  }

  /// An update reads the committed value, and sends another one.
  @Test func a35_anUpdateCanLoseAnAction() {
    @Sendable func body() async throws {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let cents = wallet.select(\.cents).atom { $0.cents = $1 }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await wallet.dispatch { (wallet: inout Wallet) async -> Void in
            await Task.yield()
            wallet.cents += 1
          }
        }
        group.addTask { atoms.update(cents) { $0 += 1 } }
      }
      await wallet.waitUntilIdle()
      try Simulation.expect(atoms.get(cents) == 2, "an addition was lost: \(atoms.get(cents))")
    }
    #expect(verdict(body) == .finished)
  }

  @Test func a35_aGuardCanRefuseASet() async {
    struct Limit: Guard {
      func veto<A: Action<Wallet>>(_ action: A, state: Wallet) -> Veto? { state.count > 0 ? Veto("closed") : nil }
    }
    let wallet = Store(Wallet(), guards: [Limit()])
    let cents = wallet.select(\.cents).atom { $0.cents = $1 }
    await wallet.dispatch(Add(cents: 1))
    atoms.set(cents, 5)
    await wallet.waitUntilIdle()
    #expect(atoms.get(cents) == 1)
  }

  @Test func a35_aFailedSetIsAnUnhandledFailure() async {
    struct Fail: Action {
      let cents: Int

      func run(_ wallet: inout Wallet) throws(Stop) { throw Stop() }
    }
    // The store is idle before it reports the failure, so the test waits for the report.
    let (failures, reports) = AsyncStream<String>.makeStream()
    let wallet = Store(Wallet(), onUnhandledFailure: { reports.yield("\($0.error)") })
    let cents = wallet.select(\.cents).atom(sending: { Fail(cents: $0) })
    atoms.set(cents, 5)
    #expect(await failures.first { _ in true } == "Stop()")
    #expect(atoms.get(cents) == 0)
  }

  @Test func a35_aSetAfterAStoreIsClosedHasNoEffect() async throws {
    let cents = cents
    try await wallet.closeAndDrain()
    atoms.set(cents, 5)
    await wallet.waitUntilIdle()
    #expect(atoms.get(cents) == 0)
  }

  /// A setter runs again after a commit of a value that it has read.
  @Test func a35_aSetterSendsAgainAfterACommit() async {
    let (atoms, cents, count, sets) = (atoms, cents, wallet.select(\.count).atom, Tally())
    let scaled = GetSetAtom<Int> {
      cents.value
    } set: {
      sets.add()
      cents.value = $0 * (1 + count.value)
    }
    atoms.set(scaled, 10)
    await wallet.waitUntilIdle()
    #expect(atoms.get(cents) == 10 && sets.value == 1)
    await wallet.dispatch { $0.count = 2 }
    await wallet.waitUntilIdle()
    #expect(atoms.get(cents) == 30 && sets.value == 2)
  }

  /// A run is not a transaction, so its sets are sent at once.
  @Test func a35_aSetInARunIsSentAtOnce() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let cents = wallet.select(\.cents).atom { $0.cents = $1 }
      let setting = AsyncAtom(keepAlive: true) { () async -> Int in
        cents.value = 5
        return await wallet.dispatch { $0.cents }.output ?? -1
      }
      let result = try await atoms.result(of: setting)
      try Simulation.expect(result == 5 && atoms.get(cents) == 5, "the action after the set has \(result)")
    }
  }

  @Test func a10_aSetInASnapshotSendsNothing() async {
    let (problems, cents) = (Recorder<AtomProblem>(), cents.debugLabel("cents"))
    atoms.onProblem = { problems.add($0) }
    atoms.snapshot { cents.value = 5 }
    #expect(await wallet.dispatch { $0.cents }.output == 0)
    #expect(problems.all == [.setInDerivation("cents", in: "a snapshot")])
  }

  @Test func a35_aDispatchInAnActionIsDeferred() async {
    let (atoms, wallet, cents) = (atoms, wallet, cents)
    let seen = await wallet.dispatch { _ async -> String in
      let outcome = await wallet.dispatch(Add(cents: 1))
      return "\(outcome) \(atoms.get(cents))"
    }
    #expect(seen.output == "deferred 0")
    #expect(await wallet.dispatch { $0.cents }.output == 1 && atoms.get(cents) == 1)
  }

  /// A watched run begins again inside the commit, but not as a part of the action.
  @Test func a35_aRunThatACommitStartsIsNotNested() throws {
    try Simulation.explore(schedules: 200) {
      let (atoms, wallet, outer) = (AtomStore(), Store(Wallet()), Store(Wallet()))
      let cents = wallet.select(\.cents).atom
      let counting = AsyncAtom(keepAlive: true) { () async -> [String] in
        if cents.value == 0 { return [] }
        let inner = await wallet.dispatch { $0.count += 10 }
        return ["\(inner.isCommitted)", "\(await outer.dispatch(Add(cents: 1)))"]
      }
      let observation = atoms.observe(counting) { _ in }
      _ = try await atoms.result(of: counting)
      await wallet.dispatch { wallet async in
        wallet.cents = 1
        await Task.yield()
      }
      let first = try await atoms.result(of: counting)
      try Simulation.expect(first == ["true", "committed()"], "\(first)")
      // The action of another store is still under way when the run dispatches.
      let seen = await outer.dispatch { _ async -> [String]? in
        await wallet.dispatch { $0.cents = 2 }
        return try? await atoms.result(of: counting)
      }
      try Simulation.expect(seen.output == ["true", "deferred"], "\(String(describing: seen.output))")
      withExtendedLifetime(observation) {}
    }
  }
}
