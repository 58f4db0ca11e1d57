import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Stores that are released while runs and tasks wait (A29).
@Suite struct RunLifetimeTests {
  /// The way in which a run waits.
  enum Wait: CaseIterable, Sendable {
    case result
    case wrapper
    case resultInChildTask
    case injectedState
    case values
  }

  private static func explore(_ body: @escaping @Sendable () async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 6), schedules: 50, timers: .race(upTo: 0)) { try await body() }
  }

  /// Waits until a graph is gone.
  ///
  /// If the graph is never released, the simulation reaches its limit of steps.
  private static func end(of core: () -> Graph?) async { while core() != nil { await Task.yield() } }

  /// An atom whose run waits until it is canceled.
  private static func makeWaiting(_ started: Gate, _ canceled: Gate) -> AsyncAtom<Int> {
    AsyncAtom {
      await withTaskCancellationHandler {
        started.open()
        await canceled.pass()
      } onCancel: {
        canceled.open()
      }
      return 1
    }
  }

  @Test(arguments: Wait.allCases) func a29_aRunThatWaitsDoesNotKeepItsStore(_ wait: Wait) throws {
    try Self.explore {
      let (started, canceled, failures) = (Gate(), Gate(), Recorder<String>())
      let (inner, number) = (Self.makeWaiting(started, canceled), Atom(1))
      let outer = AsyncAtom<Int> {
        if wait == .injectedState { started.open() }
        do {
          switch wait {
          case .result, .injectedState: return try await inner.result
          case .wrapper:
            @UseAtomValue(number) var value
            @CaptureAtom(number) var captured
            _ = value + captured
            started.open()
            await withTaskCancellationHandler {
              await canceled.pass()
            } onCancel: {
              canceled.open()
            }
            _ = value + captured
            throw CancellationError()
          case .resultInChildTask:
            async let result = inner.result
            return try await result
          case .values:
            for await state in AtomStore.current.values(of: inner) where !state.loading { return 0 }
            throw CancellationError()
          }
        } catch {
          failures.add("\(error)")
          if wait == .injectedState { canceled.open() }
          throw error
        }
      }
      weak var core: Graph?
      do {
        let store = AtomStore()
        core = store.core
        if wait == .injectedState { store.inject(inner, value: .loading) }
        try Simulation.expect(store.get(outer).loading, "not loading")
        await started.pass()
      }
      await canceled.pass()
      await Self.end { core }
      try await SimulationClock().sleep(for: .seconds(1))
      try Simulation.expect(failures.all == ["CancellationError()"], "\(failures.all)")
    }
  }

  @Test(arguments: [true, false]) func a29_aTaskThatWaitsForAResultKeepsItsStore(isInjected: Bool) throws {
    try Self.explore {
      let (started, gate) = (Gate(), Gate())
      let atom = AsyncAtom { [runs = Tally()] () async -> Int in
        runs.add()
        started.open()
        await gate.pass()
        return runs.value
      }
      let opening = Task.inheritingExecutor {
        await started.pass()
        await Task.yield()
        gate.open()
      }
      // Nothing but the call holds the store.
      let result = try await Self.makeStore(isInjected ? atom : nil).result(of: atom)
      try Simulation.expect(result == 1, "\(result)")
      await opening.value
    }
  }

  private static func makeStore(_ injected: AsyncAtom<Int>?) -> AtomStore {
    let store = AtomStore()
    if let injected {
      store.inject(injected, value: .loading)
      store.removeInjection(of: injected)
    }
    return store
  }

  @Test(arguments: [true, false]) func a29_aRunDoesNotKeepTheStoreThatWasCurrentAtItsStart(isInRun: Bool) throws {
    try Self.explore {
      let (started, gate, other) = (Gate(), Gate(), AtomStore())
      let atom = AsyncAtom { () async -> Int in
        started.open()
        await gate.pass()
        return 1
      }
      let starting = AsyncAtom { other.get(atom).loading }
      weak var core: Graph?
      do {
        let store = AtomStore()
        core = store.core
        if isInRun {
          _ = try await store.result(of: starting)
        } else {
          _ = await store.callAsCurrent { () async -> AsyncState<Int> in
            await Task.yield()
            return other.get(atom)
          }
        }
        await started.pass()
      }
      await Self.end { core }
      gate.open()
      let result = try await other.result(of: atom)
      try Simulation.expect(result == 1, "\(result)")
    }
  }

  /// Runs a closure in a run that has lost its store, and returns the result.
  private static func valueWithoutStore<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    let (started, gate, ended) = (Gate(), Gate(), Gate())
    let seen = Recorder<Value>()
    let atom = AsyncAtom { () async -> Int in
      started.open()
      await gate.pass()
      seen.add(body())
      ended.open()
      return 1
    }
    weak var core: Graph?
    do {
      let store = AtomStore()
      core = store.core
      _ = store.get(atom)
      await started.pass()
    }
    await end { core }
    gate.open()
    await ended.pass()
    return seen.all.first
  }

  @Test func a29_setsOfARunThatHasLostItsStoreHaveNoEffect() throws {
    try Self.explore {
      let number = Atom(1)
      let seen = await Self.valueWithoutStore { () -> [Int] in
        @UseAtom(number) var wrapped
        wrapped = 5
        number.value = 6
        let before = wrapped + number.value
        let inside = AtomStore.current.transaction { () -> Int in
          number.value = 7
          return wrapped + number.value
        }
        return [before, inside, wrapped + number.value]
      }
      try Simulation.expect(seen == [2, 14, 2], "\(seen ?? [])")
    }
  }

  @Test func a29_aRunThatHasLostItsStoreCanComputeNewAtoms() throws {
    try Self.explore {
      let derived = DerivedAtom { (1...20).map { Atom($0).value } }
      let seen = await Self.valueWithoutStore { derived.value }
      try Simulation.expect(seen == Array(1...20), "\(seen ?? [])")
    }
  }

  /// A late read by a thread that has found the cell before.
  @Test func a29_aReadOfACellWhoseAtomIsGoneDoesNothing() {
    let (store, runs) = (AtomStore(), Tally())
    var atoms: [AsyncAtom<Int>] = [
      AsyncAtom { () -> Int in
        runs.add()
        return 1
      }
    ]
    let cell = RunDefinition.of(atoms[0].definition).cell(in: store.core)
    atoms = []
    store.core.read(cell)
    // Another atom takes its place.
    let other = Atom(1)
    #expect(store.get(other) == 1)
    store.core.read(cell)
    #expect(runs.value == 0 && store.diagnostics.atoms == 1)
  }
}
