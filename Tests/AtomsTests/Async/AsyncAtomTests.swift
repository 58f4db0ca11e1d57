import ActorStore
import Testing

@testable import Atoms

/// Opens once, and then lets everyone pass.
final class Gate: Sendable {
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  func open() { continuation.finish() }

  /// Waits until the gate is open, even in a canceled task.
  func pass() async {
    await Task.inheritingExecutor { [stream] in for await _ in stream {} }.value
  }
}

/// Asynchronous atoms run when needed, and the newest run wins (A24 to A28).
@Suite struct AsyncAtomTests {
  private struct Wrong: Error, Equatable { var number = 0 }

  private let store = AtomStore()
  private let number = Atom(1)
  private let runs = Tally()

  /// The values of a stream until one fits, at most a few.
  private func values<Value: Sendable>(
    of atom: some ReadableAtom<Value>, until isLast: @escaping @Sendable (Value) -> Bool
  ) async -> [Value] {
    var seen: [Value] = []
    for await value in store.values(of: atom) {
      seen.append(value)
      if isLast(value) { break }
    }
    return seen
  }

  private func makeDouble() -> AsyncAtom<Int> {
    AsyncAtom(keepAlive: true) { [number, runs] in
      runs.add()
      return number.value * 2
    }
  }

  /// Like `makeDouble`, but the second run waits for a gate.
  private func makeDouble(_ gate: Gate) -> AsyncAtom<Int> {
    AsyncAtom(keepAlive: true) { [number, runs] () async -> Int in
      let value = number.value * 2
      if runs.next() == 2 { await gate.pass() }
      return value
    }
  }

  // MARK: Runs

  @Test func a24_theFirstReadStartsARun() async throws {
    let double = makeDouble()
    #expect(runs.value == 0)
    #expect(store.get(double).loading)
    #expect(try await store.result(of: double) == 2)
    #expect(store.get(double) == .success(2) && store.get(double.latest) == 2 && runs.value == 1)
    #expect(try await store.result(of: double) == 2 && runs.value == 1)
  }

  @Test func a24_aWatchStartsARun() async {
    let double = makeDouble()
    #expect(await values(of: double) { !$0.loading } == [.loading, .success(2)])
    #expect(runs.value == 1)
  }

  @Test func a26_aChangeMakesTheStateLoadingAtOnce() async throws {
    let gate = Gate()
    let double = makeDouble(gate)
    #expect(try await store.result(of: double) == 2)
    store.set(number, 5)
    #expect(store.get(double) == .loading && store.get(double.latest) == 2)
    gate.open()
    #expect(try await store.result(of: double) == 10 && runs.value == 2)
    // An equal set is no change.
    store.set(number, 5)
    #expect(store.get(double) == .success(10) && runs.value == 2)
  }

  @Test func a7_anEqualDependencyStartsNoRun() async throws {
    let parity = DerivedAtom { [number] in number.value % 2 }
    let text = AsyncAtom(keepAlive: true) { [runs] in
      runs.add()
      return "\(parity.value)"
    }
    #expect(try await store.result(of: text) == "1")
    store.set(number, 3)
    #expect(store.get(text) == .success("1") && runs.value == 1)
    store.set(number, 4)
    #expect(try await store.result(of: text) == "0" && runs.value == 2)
  }

  @Test func a26_aDerivedAtomSeesLoadingWithItsOtherInputs() async throws {
    let double = makeDouble()
    let pair = DerivedAtom { [number] in "\(number.value) \(double.value.value.map { "\($0)" } ?? "-")" }
    let seen = Recorder<String>()
    let observation = store.observe(pair) { seen.add($0) }
    #expect(try await store.result(of: double) == 2)
    store.set(number, 2)
    #expect(try await store.result(of: double) == 4)
    #expect(seen.all == ["1 -", "1 2", "2 -", "2 4"])
    withExtendedLifetime(observation) {}
  }

  @Test func a25_theNewestRunWins() async throws {
    let (gates, number) = ([Gate(), Gate()], Atom(0))
    let (started, ended) = (Gate(), Gate())
    let slow = AsyncAtom(keepAlive: true) { () async -> Int in
      let index = number.value
      started.open()
      // Ignores cancellation.
      await gates[index].pass()
      if index == 0 { ended.open() }
      return index
    }
    let seen = Recorder<AsyncState<Int>>()
    let observation = store.observe(slow) { seen.add($0) }
    await started.pass()
    store.set(number, 1)
    #expect(store.get(slow) == .loading)
    gates[1].open()
    #expect(try await store.result(of: slow) == 1)
    gates[0].open()
    await ended.pass()
    #expect(try await store.result(of: slow) == 1)
    #expect(seen.all.prefix(2) == [.loading, .success(1)] && seen.all.count <= 2)
    withExtendedLifetime(observation) {}
  }

  @Test func a25_anOlderRunIsCanceled() async throws {
    let (canceled, started) = (Gate(), Gate())
    let atom = AsyncAtom(keepAlive: true) { [runs] () async throws -> Int in
      if runs.next() > 1 { return 2 }
      started.open()
      await withTaskCancellationHandler {
        await canceled.pass()
      } onCancel: {
        canceled.open()
      }
      try Task.checkCancellation()
      return 1
    }
    #expect(store.get(atom).loading)
    await started.pass()
    store.callAsCurrent { atom.reload() }
    #expect(try await store.result(of: atom) == 2)
    await canceled.pass()
    #expect(store.get(atom) == .success(2))
  }

  @Test func a24_aReloadIsLoadingBeforeItReturns() async throws {
    let gate = Gate()
    let double = makeDouble(gate)
    #expect(try await store.result(of: double) == 2)
    var states = store.values(of: double).makeAsyncIterator()
    store.callAsCurrent { double.reload() }
    #expect(store.get(double) == .loading && store.get(double.latest) == 2)
    gate.open()
    var seen: [AsyncState<Int>] = []
    for _ in 0..<3 { if let state = await states.next() { seen.append(state) } }
    #expect(seen == [.success(2), .loading, .success(2)] && runs.value == 2)
  }

  @Test func a24_aReloadStartsTheFirstRun() async throws {
    let double = makeDouble()
    store.callAsCurrent { double.reload() }
    #expect(try await store.result(of: double) == 2 && runs.value == 1)
  }

  // MARK: What a run reads

  @Test func a27_aRunSeesOneRevision() async throws {
    let (first, second, gate, started) = (Atom(1), Atom(-1), Gate(), Gate())
    let sums = Recorder<Int>()
    let sum = AsyncAtom(keepAlive: true) { () async -> Int in
      let before = first.value
      started.open()
      await gate.pass()
      let sum = before + second.value + first.value
      sums.add(sum - before)
      return sum
    }
    #expect(store.get(sum).loading)
    await started.pass()
    store.transaction {
      first.value = 2
      second.value = -2
    }
    gate.open()
    #expect(try await store.result(of: sum) == 2)
    // The run that began before the transaction saw the values from before it, or nothing at all.
    #expect(sums.all.allSatisfy { $0 == 0 })
  }

  @Test func a27_aRunMovesOnIfNothingThatItReadHasChanged() async throws {
    let (first, second, gate, started) = (Atom(1), Atom(10), Gate(), Gate())
    let sum = AsyncAtom(keepAlive: true) { [runs] () async -> Int in
      runs.add()
      let before = first.value
      started.open()
      await gate.pass()
      return before + second.value
    }
    #expect(store.get(sum).loading)
    await started.pass()
    store.set(second, 20)
    gate.open()
    #expect(try await store.result(of: sum) == 21 && runs.value == 1)
    store.set(second, 30)
    #expect(try await store.result(of: sum) == 31 && runs.value == 2)
  }

  @Test func a8_wrappersAndChildTasksCountAndCapturesDoNot() async throws {
    let (a, b, c) = (Atom(1), Atom(10), Atom(100))
    let sum = AsyncAtom(keepAlive: true) { [runs] () async -> Int in
      runs.add()
      @UseAtomValue(a) var first
      @CaptureAtomValue(c) var third
      async let second = b.value
      return await first + second + third
    }
    #expect(try await store.result(of: sum) == 111)
    store.set(c, 200)
    #expect(store.get(sum) == .success(111) && runs.value == 1)
    store.set(b, 20)
    #expect(try await store.result(of: sum) == 221)
    store.set(a, 2)
    #expect(try await store.result(of: sum) == 222 && runs.value == 3)
  }

  @Test func a34_aRunBelongsToItsStore() async throws {
    let (double, other) = (makeDouble(), AtomStore())
    other.set(number, 7)
    #expect(try await store.result(of: double) == 2)
    #expect(try await other.result(of: double) == 14)
    other.set(number, 8)
    #expect(store.get(double) == .success(2) && other.get(double) == .loading)
  }

  // MARK: Results

  @Test func a28_aFailureKeepsTheLastSuccess() async throws {
    let atom = AsyncAtom(keepAlive: true) { [number] () async throws -> Int in
      if number.value < 0 { throw Wrong(number: number.value) }
      return number.value
    }
    #expect(try await store.result(of: atom) == 1)
    store.set(number, -1)
    await #expect(throws: Wrong(number: -1)) { try await store.result(of: atom) }
    #expect(store.get(atom) == .failure(Wrong(number: -1)) && store.get(atom.latest) == 1)
    #expect(store.get(atom) != .failure(Wrong(number: -2)))
  }

  @Test(arguments: [false, true]) func a28_cancelReturnsToTheLastResult(throwsOnCancellation: Bool) async throws {
    let (gate, runs) = (Gate(), runs)
    let atom = AsyncAtom(keepAlive: true, throwOnCancellation: throwsOnCancellation) { () async -> Int in
      let run = runs.next()
      if run > 1 { await gate.pass() }
      return run
    }
    #expect(try await store.result(of: atom) == 1)
    store.callAsCurrent {
      atom.cancel()
      #expect(atom.value == .success(1))
      atom.reload()
      #expect(atom.value == .loading)
      atom.cancel()
    }
    #expect(store.get(atom) == (throwsOnCancellation ? .failure(CancellationError()) : .success(1)))
    gate.open()
    store.callAsCurrent { atom.reload() }
    #expect(try await store.result(of: atom) > 1)
  }

  @Test(arguments: [true, false]) func a28_aChangeAfterACancellationStartsARun(keepAlive: Bool) async throws {
    let (store, number, other) = (AtomStore(), Atom(1, keepAlive: true), Atom(10, keepAlive: true))
    let (runs, started, gate) = (Tally(), Gate(), Gate())
    let sum = AsyncAtom(keepAlive: keepAlive) { () async -> Int in
      if runs.next() == 2 {
        _ = number.value
        started.open()
        await gate.pass()
      }
      return number.value + other.value
    }
    let use = store.callAsCurrent { UseAtomValue(sum) }
    #expect(use.wrappedValue == .loading)
    #expect(try await store.result(of: sum) == 11)
    // The canceled run has read one of the two atoms, and then none.
    store.callAsCurrent { sum.reload() }
    await started.pass()
    store.callAsCurrent { sum.cancel() }
    #expect(store.get(sum) == .success(11))
    store.callAsCurrent {
      sum.reload()
      sum.cancel()
    }
    #expect(store.get(sum) == .success(11))
    gate.open()
    store.set(other, 20)
    #expect(store.get(sum) == .loading)
    #expect(try await store.result(of: sum) == 21)
    withExtendedLifetime(use) {}
    // What the last run has not read no longer counts.
    let records = store.core.state.withLock { state in state.allCells.map { state.logic[$0.node] } }
    #expect(records.allSatisfy { $0.reads.count == $0.dependencies.count })
  }

  @Test func a28_cancelWithoutAResultIsAFailure() async throws {
    let gate = Gate()
    let atom = AsyncAtom(keepAlive: true) { () async -> Int in
      await gate.pass()
      return 1
    }
    #expect(store.get(atom).loading)
    store.callAsCurrent { atom.cancel() }
    #expect(store.get(atom) == .failure(CancellationError()) && store.get(atom.latest) == nil)
    gate.open()
  }

  @Test func a11_runsThatWaitForEachOtherFail() async {
    let holder = Recorder<AsyncAtom<Int>>()
    let one = AsyncAtom<Int>(keepAlive: true) { try await holder.all[1].result + 1 }.debugLabel("one")
    let two = AsyncAtom<Int>(keepAlive: true) { try await one.result + 1 }.debugLabel("two")
    for atom in [one, two] { holder.add(atom) }
    do {
      _ = try await store.result(of: one)
      Issue.record("a cycle has a result")
    } catch {
      let path = (error as? AtomCycle)?.path ?? []
      #expect(path == ["one", "two", "one"] || path == ["two", "one", "two"], "\(error)")
    }
    holder.reset()
  }

  @Test func a24_aRunWaitsForTheResultOfAnother() async throws {
    let double = makeDouble()
    let outerRuns = Tally()
    let next = AsyncAtom(keepAlive: true) { () async throws -> Int in
      outerRuns.add()
      return try await double.result + 1
    }
    #expect(try await store.result(of: next) == 3 && outerRuns.value == 1)
    store.set(number, 5)
    #expect(store.get(next) == .loading)
    #expect(try await store.result(of: next) == 11)
  }

  // MARK: Memory

  @Test func a29_aReleaseCancelsTheRunAndTheNextUseStartsOver() async throws {
    let (started, canceled) = (Gate(), Gate())
    let atom = AsyncAtom { [runs] () async -> Int in
      let run = runs.next()
      if run > 1 { return run }
      started.open()
      await withTaskCancellationHandler {
        await canceled.pass()
      } onCancel: {
        canceled.open()
      }
      return run
    }
    do {
      let observation = store.observe(atom) { _ in }
      await started.pass()
      observation.cancel()
    }
    await canceled.pass()
    #expect(await values(of: atom) { !$0.loading } == [.loading, .success(2)])
    #expect(store.get(atom) == .loading)
    #expect(try await store.result(of: atom) == 3)
  }

  @Test func a30_aRestartKeepsWhatTheAtomUses() async throws {
    let double = makeDouble()
    let observation = store.observe(double) { _ in }
    store.set(number, 5)
    #expect(try await store.result(of: double) == 10)
    store.callAsCurrent { double.reload() }
    #expect(try await store.result(of: double) == 10 && store.get(number) == 5)
    withExtendedLifetime(observation) {}
  }

  @Test func a32_nothingIsLeftBehind() async throws {
    for _ in 0..<200 {
      let source = Atom(1)
      let atom = AsyncAtom { source.value + 1 }
      #expect(try await store.result(of: atom) == 2)
      store.set(source, 2)
      _ = store.get(atom)
    }
    // The last runs may not have ended yet.
    while store.diagnostics.atoms > 0 || store.diagnostics.isPinned { await Task.yield() }
  }

  /// A run that waits keeps no store alive, even if it has read atoms of it.
  @Test func a29_aStoreThatGoesCancelsItsRuns() async {
    let (started, canceled) = (Gate(), Gate())
    let atom = AsyncAtom { [number] () async -> Int in
      let value = number.value
      started.open()
      await withTaskCancellationHandler {
        await canceled.pass()
      } onCancel: {
        canceled.open()
      }
      return value + number.value
    }
    weak var core: Graph?
    do {
      let store = AtomStore()
      core = store.core
      #expect(store.get(atom).loading)
      await started.pass()
    }
    await canceled.pass()
    while core != nil { await Task.yield() }
  }

  /// An executor that runs each job at once, inside the call that enqueues it.
  private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  @Test func a24_aRunThatBeginsInsideAReadIsNoPartOfIt() async throws {
    let (double, target) = (makeDouble(), Atom(0))
    let setting = AsyncAtom(keepAlive: true) { () async -> Int in
      target.value = 1
      return double.value.value ?? 0
    }
    let text = DerivedAtom { "\(setting.value.loading)" }
    await withTaskExecutorPreference(InlineExecutor()) {
      _ = store.get(text)
    }
    _ = try await store.result(of: setting)
    #expect(store.get(target) == 1)
    #expect(store.get(text) == "false")
  }

  @Test func a27_aTaskThatIsResumedInASnapshotOfItsRunWaitsForTheSnapshot() async throws {
    let gate = Gate()
    let inner = AsyncAtom(keepAlive: true) { () async -> Int in
      await gate.pass()
      return 7
    }
    let outer = AsyncAtom(keepAlive: true) { [store, number] () async throws -> Int in
      async let result = inner.result
      let before = store.snapshot { () -> Int in
        let before = number.value
        gate.open()
        return before
      }
      return try await before + result
    }
    await withTaskExecutorPreference(InlineExecutor()) {
      _ = store.get(outer)
    }
    #expect(try await store.result(of: outer) == 8)
  }

  // MARK: Inspection

  @Test func a36_theGraphShowsWhatARunHasRead() async throws {
    let double = makeDouble().debugLabel("double")
    _ = number.debugLabel("number")
    #expect(try await store.result(of: double) == 2)
    #expect(store.graph.dependencies(of: "double") == ["number"])
    #expect(store.graph.atoms.count == 2)
  }

  @Test func a36_theLastSuccessHasALabel() {
    let double = makeDouble().debugLabel("double")
    _ = store.get(double.latest)
    #expect(store.graph.node("double, latest") != nil)
  }

  // MARK: Injection

  @Test func a33_anInjectionReplacesTheOperation() async throws {
    let double = makeDouble()
    store.inject(double, value: .success(7))
    #expect(store.get(double) == .success(7) && store.get(double.latest) == 7 && runs.value == 0)
    store.inject(double, value: .loading)
    #expect(store.get(double.latest) == nil && runs.value == 0)
    store.removeInjection(of: double)
    #expect(try await store.result(of: double) == 2 && runs.value == 1)
  }

  @Test func a33_aReloadOfAnInjectedStateDoesNotRunTheOperation() async throws {
    let double = makeDouble()
    store.inject(double, value: .success(7))
    store.callAsCurrent {
      double.reload()
      double.cancel()
    }
    #expect(store.get(double) == .success(7) && runs.value == 0)
    store.transaction { store.callAsCurrent { double.reload() } }
    #expect(try await store.result(of: double) == 7 && runs.value == 0)
  }

  @Test func a33_anOperationCanBeInjected() async throws {
    let (double, others) = (makeDouble(), Tally())
    #expect(try await store.result(of: double) == 2)
    store.inject(double) { [number] in
      others.add()
      await Task.yield()
      if number.value == 0 { throw Stop() }
      return number.value + 100
    }
    #expect(store.get(double) == .loading && store.get(double.latest) == nil)
    #expect(try await store.result(of: double) == 101 && others.value == 1)
    store.set(number, 5)
    #expect(try await store.result(of: double) == 105 && store.get(double.latest) == 105)
    store.callAsCurrent { double.reload() }
    #expect(store.get(double) == .loading && store.get(double.latest) == 105)
    #expect(try await store.result(of: double) == 105 && others.value == 3)
    store.set(number, 0)
    await #expect(throws: Stop.self) { try await store.result(of: double) }
    store.callAsCurrent { double.reload() }
    store.callAsCurrent { double.cancel() }
    #expect(store.get(double) == .failure(Stop()))
    #expect(runs.value == 1)
    // Only the injected operation has used the number.
    let use = store.callAsCurrent { UseAtomValue(number) }
    store.removeInjection(of: double)
    #expect(try await store.result(of: double) == 0)
    withExtendedLifetime(use) {}
  }

  @Test func a33_aSequenceCanBeInjected() async throws {
    let atom = AsyncSequenceAtom(keepAlive: true) { AsyncStream<Int> { $0.finish() } }
    store.inject(atom) {
      AsyncStream<Int> { continuation in
        continuation.yield(1)
        continuation.finish()
      }
    }
    #expect(await values(of: atom) { $0 == .success(1) } == [.loading, .success(1)])
  }

  // MARK: Waiting

  @Test(arguments: [false, true], [false, true])
  func a24_theEndOfAWaitReleasesNothing(isCanceled: Bool, isInjected: Bool) async throws {
    let (started, gate) = (Gate(), Gate())
    let operation: @Sendable () async -> Int = { [runs] in
      runs.add()
      started.open()
      await gate.pass()
      return 1
    }
    let inner = AsyncAtom { await operation() }
    if isInjected { store.inject(inner) { await operation() } }
    let waiting = Task.inheritingExecutor { [store] in try await store.result(of: inner) }
    await started.pass()
    if isCanceled {
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    gate.open()
    #expect(try await store.result(of: inner) == 1)
    #expect(store.get(inner) == .success(1) && runs.value == 1)
  }

  /// A canceled run reads a result that only code has read, and a source that nothing uses.
  @Test(arguments: [false, true]) func a30_aCanceledRunThatNeedNotWaitReleasesNothing(isInjected: Bool) async throws {
    let (text, gate, started) = (Atom(""), Gate(), Gate())
    let config = AsyncAtom { [runs] () async -> Int in
      runs.add()
      return text.value.count
    }
    if isInjected {
      store.inject(config) { [runs] () async -> Int in
        runs.add()
        return text.value.count
      }
    }
    store.set(text, "abc")
    #expect(try await store.result(of: config) == 3)
    let search = AsyncAtom(keepAlive: true) { [number] () async throws -> Int in
      let first = number.value
      started.open()
      await gate.pass()
      return try await config.result + first
    }
    _ = store.get(search)
    await started.pass()
    store.set(number, 2)
    _ = store.get(search)
    gate.open()
    #expect(try await store.result(of: search) == 5)
    #expect(store.get(text) == "abc" && store.get(config) == .success(3) && runs.value == 1)
  }

  /// Neither atom is in use, so no edge counts as a use.
  @Test(arguments: [false, true]) func a24_aRunThatWaitsDoesNotStartAgain(isInjected: Bool) async throws {
    let innerRuns = Tally()
    let operation: @Sendable () async -> Int = {
      innerRuns.add()
      await Task.yield()
      return 1
    }
    let inner = AsyncAtom { await operation() }
    if isInjected { store.inject(inner) { await operation() } }
    let outer = AsyncAtom { [runs] () async throws -> Int in
      runs.add()
      return try await inner.result + 1
    }
    #expect(store.get(outer) == .loading)
    while store.get(outer).loading, runs.value < 10 { await Task.yield() }
    #expect(store.get(outer) == .success(2) && runs.value == 1 && innerRuns.value == 1)
    #expect(try await store.result(of: inner) == 1)
    #expect(store.get(inner) == .success(1) && innerRuns.value == 1)
  }

  @Test func a29_aReleaseCancelsTheRunThatIsWaitedFor() async throws {
    let (started, canceled) = (Gate(), Gate())
    let inner = AsyncAtom { () async -> Int in
      await withTaskCancellationHandler {
        started.open()
        await canceled.pass()
      } onCancel: {
        canceled.open()
      }
      return 1
    }
    let outer = AsyncAtom { try await inner.result }
    let observation = store.observe(outer) { _ in }
    await started.pass()
    observation.cancel()
    await canceled.pass()
  }
}
