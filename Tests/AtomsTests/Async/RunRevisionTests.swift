import ActorStore
import Testing

@testable import Atoms

/// Changes at the moment when a run is replaced or moves on to another revision (A27).
@Suite struct RunRevisionTests {
  private let store = AtomStore()
  private let first = Atom(1, keepAlive: true)
  private let second = Atom(-1, keepAlive: true)
  private let runs = Tally()
  /// The sums that runs have seen, which are 0 at each revision.
  private let sums = Recorder<Int>()

  /// Sets both atoms in one revision.
  private func change() {
    store.transaction { [first, second] in
      first.value += 1
      second.value -= 1
    }
  }

  @Test func a27_aRunThatIsAboutToBeReplacedSeesNoOtherRevision() async throws {
    let (started, gate, known) = (Gate(), Gate(), Recorder<AnyRun>())
    let sum = AsyncAtom(keepAlive: true) { [first, second, runs, sums] () async -> Int in
      let one = first.value
      if runs.next() == 1 {
        SelectedGraph.run.map { known.add($0) }
        started.open()
        await gate.pass()
      }
      sums.add(one + second.value)
      return one + second.value
    }
    #expect(store.get(sum) == .loading)
    await started.pass()
    change()
    let run = try #require(known.all.first)
    known.reset()
    let claim = Claim(sum, in: store.core)
    // Meanwhile, a child task of the run reads.
    #expect(SelectedGraph.select(run) { second.value } == -1)
    claim.end()
    gate.open()
    #expect(try await store.result(of: sum) == 0)
    #expect(sums.all.allSatisfy { $0 == 0 })
  }

  /// The result of a run is valid, then invalid, and then valid again, while a snapshot sees the first revision.
  @Test func a3_aSnapshotSeesAResultThatIsValidAgain() async throws {
    #expect(try await stateInASnapshot() == .success(1))
    #if DEBUG
      store.plant(.loseResult)
      #expect(try await stateInASnapshot() == .loading)
    #endif
  }

  /// The state that a snapshot sees after it became invalid and valid again.
  private func stateInASnapshot() async throws -> AsyncState<Int> {
    store.set(first, 1)
    let isOdd = DerivedAtom { [first] in first.value % 2 == 1 }
    let atom = AsyncAtom(keepAlive: true) { isOdd.value ? 1 : 0 }
    #expect(try await store.result(of: atom) == 1)
    return store.snapshot { () -> AsyncState<Int> in
      Evaluation.setAside {
        store.set(first, 2)
        store.set(first, 3)
        #expect(store.get(atom) == .success(1))
      }
      return atom.value
    }
  }

  /// At the revision between two snapshots, an atom is loading, because its dependency has changed.
  @Test func a3_aSnapshotSeesAResultDespiteALaterReleaseAndRead() async throws {
    let atom = AsyncAtom { [first] in first.value }
    let use = Locked<UseAtomValue<AsyncState<Int>>?>(store.callAsCurrent { UseAtomValue(atom) })
    #expect(try await store.result(of: atom) == 1)
    let state = store.snapshot { () -> AsyncState<Int> in
      Evaluation.setAside {
        store.set(first, 2)
        let later = store.snapshot { () -> AsyncState<Int> in
          Evaluation.setAside {
            let former = use.withLock { $0.take() }
            withExtendedLifetime(former) {}
          }
          return atom.value
        }
        #expect(later == .loading)
      }
      return atom.value
    }
    #expect(state == .success(1))
  }

  /// The atom is set, and a child task reads, while the run computes another atom.
  @Test func a27_childTasksThatReadAtTheSameTimeSeeOneRevision() async throws {
    let isInterrupted = Locked(true)
    let derived = DerivedAtom(keepAlive: true) { [first, second, store, sums] () -> Int in
      let value = first.value
      let isFirst = isInterrupted.withLock { isInterrupted in
        defer { isInterrupted = false }
        return isInterrupted
      }
      guard isFirst, let run = SelectedGraph.run else { return value }
      Evaluation.setAside {
        store.transaction {
          first.value += 1
          second.value -= 1
        }
        sums.add(SelectedGraph.select(run) { second.value } + value)
      }
      return value
    }
    let sum = AsyncAtom(keepAlive: true) { [second, runs, sums] () async -> Int in
      runs.add()
      let value = derived.value
      sums.add(value + second.value)
      return value + second.value
    }
    let use = store.callAsCurrent { UseAtomValue(sum) }
    _ = use.wrappedValue
    while store.get(sum) == .loading { await Task.yield() }
    #expect(try await store.result(of: sum) == 0)
    #expect(sums.all.allSatisfy { $0 == 0 } && sums.all.count >= 2, "\(sums.all)")
    #expect(store.get(derived) == 2 && runs.value == 2)
  }

  /// A set between the start of a run and its first read does not count as a change, but a set after the first read
  /// does.
  @Test(arguments: [true, false]) func a27_aSetCountsFromTheFirstReadOn(isReload: Bool) async throws {
    let (ready, gate) = (Gate(), Gate())
    let sum = AsyncAtom(keepAlive: true) { [first, second, runs] () async -> Int in
      if runs.next() == (isReload ? 2 : 1) {
        ready.open()
        await gate.pass()
      }
      return first.value + second.value * 10
    }
    if isReload {
      #expect(try await store.result(of: sum) == -9)
      store.callAsCurrent { sum.reload() }
    } else {
      #expect(store.get(sum) == .loading)
    }
    await ready.pass()
    change()
    #expect(store.get(sum) == .loading)
    gate.open()
    #expect(try await store.result(of: sum) == -18 && runs.value == (isReload ? 2 : 1))
    change()
    #expect(store.get(sum) == .loading)
    #expect(try await store.result(of: sum) == -27 && runs.value == (isReload ? 3 : 2))
  }

  /// The result of a run has no effect after another thread has found a change of its dependency.
  @Test func a25_theResultOfARunThatIsAboutToBeReplacedHasNoEffect() async throws {
    let (started, gate, known) = (Gate(), Gate(), Recorder<AnyRun>())
    let atom = AsyncAtom(keepAlive: true) { [first, runs] () async -> Int in
      let value = first.value
      if runs.next() == 1 {
        SelectedGraph.run.map { known.add($0) }
        started.open()
        await gate.pass()
      }
      return value
    }
    #expect(store.get(atom) == .loading)
    await started.pass()
    change()
    let claim = Claim(atom, in: store.core)
    (known.all.first as? Run)?.set(RunResult(100))
    known.reset()
    #expect(store.get(atom) == .loading)
    claim.end()
    gate.open()
    #expect(try await store.result(of: atom) == 2)
  }

  /// The result of a run has no effect after a change of its dependency that no one has noticed yet.
  @Test func a25_theResultOfARunWithAChangedDependencyHasNoEffect() async throws {
    let (started, gate, ended, lastGate) = (Gate(), Gate(), Gate(), Gate())
    let atom = AsyncAtom(keepAlive: true) { [first, runs] () async -> Int in
      let value = first.value
      if runs.next() == 1 {
        let run = SelectedGraph.run as? Run
        started.open()
        await gate.pass()
        run?.set(RunResult(100))
        ended.open()
      } else {
        await lastGate.pass()
      }
      return value
    }
    #expect(store.get(atom) == .loading)
    await started.pass()
    change()
    gate.open()
    await ended.pass()
    #expect(store.callAsCurrent { atom.latest.value } == nil && store.get(atom) == .loading)
    lastGate.open()
    #expect(try await store.result(of: atom) == 2)
    #expect(store.callAsCurrent { atom.latest.value } == 2)
  }
}

/// An evaluation on another thread that has found a change of a run's dependency and is about to replace the run.
struct Claim {
  let evaluation: Evaluation
  let cell: RunCell

  init(_ atom: AsyncAtom<Int>, in graph: Graph) {
    let cell = RunDefinition.of(atom.definition).cell(in: graph)
    let logic = graph.state.withLock { state in
      var logic = graph.begin(&state)
      logic.visits.append(.init(node: cell.node))
      let step = state.logic.step(&logic, base: 0)
      #expect(step == .compute(cell.node, isPrivate: false))
      return logic
    }
    self.cell = cell
    evaluation = Evaluation(graph, logic)
  }

  /// Replaces the run.
  func end() {
    evaluation.logic.push(cell.node, isPrivate: false, run: 1)
    cell.compute(in: evaluation)
    evaluation.logic.visits.removeLast()
    evaluation.graph.end(evaluation)
  }
}
