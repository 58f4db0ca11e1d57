import ActorStore
import ActorStoreTesting
import Foundation
import Testing

@testable import Atoms

/// Waits of atoms and of a `Store` for each other (A35).
///
/// A simulation proves each deadlock.
@Suite struct StoreWaitTests {
  // MARK: Results of asynchronous atoms

  /// The run waits for the turn that the action holds, and the action waits for the run.
  @Test func a35_anActionThatAwaitsARunOfItsStoreDeadlocks() {
    #expect(
      verdict {
        let (atoms, wallet) = (AtomStore(), Store(Wallet()))
        let saving = AsyncAtom(keepAlive: true) { await wallet.dispatch(Add(cents: 1)).isCommitted }
        await withTaskGroup { group in
          // This read starts the run outside the action.
          group.addTask { _ = atoms.get(saving) }
          group.addTask { await wallet.dispatch { _ async in _ = try? await atoms.result(of: saving) } }
        }
      } == .deadlock)
  }

  /// A stream of states waits for the run, too.
  @Test func a35_anActionThatFollowsARunOfItsStoreDeadlocks() {
    #expect(
      verdict {
        let (atoms, wallet) = (AtomStore(), Store(Wallet()))
        let saving = AsyncAtom(keepAlive: true) { await wallet.dispatch(Add(cents: 1)).isCommitted }
        await withTaskGroup { group in
          group.addTask { _ = atoms.get(saving) }
          group.addTask {
            await wallet.dispatch { _ async in
              for await state in atoms.values(of: saving) where !state.loading { break }
            }
          }
        }
      } == .deadlock)
  }

  /// A run that begins with a read in an action is nested in the action.
  @Test func a35_aRunThatAnActionStartsIsDeferred() throws {
    try Simulation.explore(schedules: 200) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let saving = AsyncAtom(keepAlive: true) { "\(await wallet.dispatch(Add(cents: 1)))" }
      let seen = await wallet.dispatch { wallet async in
        wallet.cents = 10
        return try? await atoms.result(of: saving)
      }
      try Simulation.expect(seen.output == "deferred", "the run has \(String(describing: seen.output))")
      let last = await wallet.dispatch { $0 }
      try Simulation.expect(last.output == Wallet(cents: 11, count: 1), "\(String(describing: last.output))")
    }
  }

  /// The article's remedy is to await the result first, and then dispatch.
  @Test func a35_awaitingTheRunBeforeTheDispatchNeverDeadlocks() throws {
    try Simulation.explore(schedules: 200) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let saving = AsyncAtom(keepAlive: true) { await wallet.dispatch(Add(cents: 1)).isCommitted }
      try await withThrowingTaskGroup { group in
        group.addTask { _ = atoms.get(saving) }
        for _ in 0..<2 {
          group.addTask {
            let isSaved = try await atoms.result(of: saving)
            await wallet.dispatch { wallet async in if isSaved { wallet.count += 10 } }
          }
        }
        try await group.waitForAll()
      }
      let count = await wallet.dispatch { $0.count }.output
      try Simulation.expect(count == 21, "\(String(describing: count))")
    }
  }

  /// The action runs in the task of a run, so its waits count as waits of the run and complete a cycle of runs.
  @Test func a11_aCycleOfRunsThroughAnActionFails() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet, known) = (AtomStore(), Store(Wallet()), Recorder<AsyncAtom<Int>>())
      known.add(
        AsyncAtom(keepAlive: true) {
          try await wallet.dispatch { _ async throws in try await atoms.result(of: known.all[1]) }.output ?? -1
        })
      known.add(AsyncAtom(keepAlive: true) { try await atoms.result(of: known.all[0]) })
      var error: (any Error)?
      do { _ = try await atoms.result(of: known.all[0]) } catch let cycle { error = cycle }
      try Simulation.expect(error is AtomCycle, "\(String(describing: error))")
      known.reset()
    }
  }

  // MARK: Changes of atoms

  /// The atom has the draft only after the action.
  @Test func a35_anActionThatAwaitsAChangeOfItsStoreDeadlocks() {
    #expect(
      verdict {
        let (atoms, wallet) = (AtomStore(), Store(Wallet()))
        let cents = wallet.select(\.cents).atom
        await wallet.dispatch { wallet async in
          wallet.cents = 1
          for await value in atoms.values(of: cents) where value == 1 { break }
        }
      } == .deadlock)
  }

  /// A set is an action that runs after the action that makes the set.
  @Test func a35_anActionThatAwaitsItsOwnSetDeadlocks() {
    #expect(
      verdict {
        let (atoms, wallet) = (AtomStore(), Store(Wallet()))
        let cents = wallet.select(\.cents).atom { $0.cents = $1 }
        await wallet.dispatch { wallet async in
          atoms.set(cents, 1)
          for await value in atoms.values(of: cents) where value == 1 { break }
        }
      } == .deadlock)
  }

  // MARK: Two stores

  /// Runs that other tasks have started are not nested in an action, so neither store sees the cycle.
  @Test func a35_runsOfTwoStoresCanDeadlock() {
    #expect(
      verdict {
        let (atoms, one, two) = (AtomStore(), Store(Wallet()), Store(Wallet()))
        let first = AsyncAtom(keepAlive: true) { await two.dispatch(Add(cents: 1)).isCommitted }
        let second = AsyncAtom(keepAlive: true) { await one.dispatch(Add(cents: 1)).isCommitted }
        await withTaskGroup { group in
          group.addTask { _ = (atoms.get(first), atoms.get(second)) }
          group.addTask { await one.dispatch { _ async in _ = try? await atoms.result(of: first) } }
          group.addTask { await two.dispatch { _ async in _ = try? await atoms.result(of: second) } }
        }
      } == .deadlock)
  }

  /// The stores see the waits of runs that their actions have started.
  @Test func a35_runsThatActionsOfTwoStoresStartNeverDeadlock() throws {
    let deferred = Tally()
    try Simulation.explore(schedules: 300) {
      let (atoms, one, two) = (AtomStore(), Store(Wallet()), Store(Wallet()))
      let first = AsyncAtom(keepAlive: true) { "\(await two.dispatch(Add(cents: 1)))" }
      let second = AsyncAtom(keepAlive: true) { "\(await one.dispatch(Add(cents: 1)))" }
      try await withThrowingTaskGroup { group in
        for (store, atom) in [(one, first), (two, second)] {
          group.addTask {
            let seen = await store.dispatch { _ async in (try? await atoms.result(of: atom)) ?? "no result" }
            try Simulation.expect(seen.output != "no result", "no result")
            if seen.output == "deferred" { deferred.add() }
          }
        }
        try await group.waitForAll()
      }
      for store in [one, two] {
        let count = await store.dispatch { $0.count }.output
        try Simulation.expect(count == 1, "\(String(describing: count))")
      }
    }
    #expect(deferred.value > 0)
  }

  /// Streams of atoms are invisible to the stores.
  @Test func a35_atomsOfTwoStoresCanDeadlock() {
    #expect(
      verdict {
        let (atoms, one, two) = (AtomStore(), Store(Wallet()), Store(Wallet()))
        let cents = [one.select(\.cents).atom, two.select(\.cents).atom]
        await withTaskGroup { group in
          for (store, other) in [(one, cents[1]), (two, cents[0])] {
            group.addTask {
              await store.dispatch { wallet async in
                wallet.cents += 1
                for await value in atoms.values(of: other) where value > 0 { break }
              }
            }
          }
        }
      } == .deadlock)
  }

  // MARK: Atoms made during a mutation

  /// The library reports the wait, which never ends.
  @Test func a35_aMutationThatMakesAnAtomOfItsStoreWaitsForever() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      let (wallet, reading) = (Store(Wallet(), name: "wallet"), ends[0])
      Thread {
        wallet.send { _ in _ = wallet.select(\.cents).atom }
        fatalError("The mutation made the atom.")
      }.start()
      var text = ""
      while let line = FileHandle(fileDescriptor: reading).availableData.nonEmpty {
        text += String(decoding: line, as: UTF8.self)
        if text.contains("of wallet waits for a mutation that edits the state in place.") { exit(0) }
      }
      exit(1)
    }
  }

  @Test func a35_theFirstAtomWaitsForAnEditOnAnotherThread() {
    let (wallet, seen) = (Store(Wallet()), Recorder<String>())
    let (begun, made) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onAnotherThread {
      wallet.send { state in
        Thread {
          begun.signal()
          let cents = wallet.select(\.cents).atom
          seen.add("made, with \(AtomStore().get(cents))")
          made.signal()
        }.start()
        begun.wait()
        state.cents = 5
        seen.add("edited")
      }
    }
    made.wait()
    #expect(seen.all == ["edited", "made, with 5"])
  }

  /// A call for an existing atom never waits.
  @Test func a35_aMutationCanReadAndFindAnAtomThatExists() async {
    let (atoms, wallet) = (AtomStore(), Store(Wallet()))
    let cents = wallet.select(\.cents).atom
    let seen = await wallet.dispatch { state -> [Int] in
      state.cents = 5
      let twin = wallet.select(\.cents).atom
      return [atoms.get(cents), atoms.get(twin)]
    }
    #expect(seen.output == [0, 0] && atoms.get(cents) == 5)
  }
}

extension Data {
  fileprivate var nonEmpty: Data? { isEmpty ? nil : self }
}
