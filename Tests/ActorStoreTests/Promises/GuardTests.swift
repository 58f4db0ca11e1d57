import HeapCalls
import Testing

@testable import ActorStore

/// The store calls the hooks of its guards during the turn, in order, each exactly once.
@Suite struct GuardTests {
  /// Records each call, and vetoes each action if it has a refusal.
  private struct Recorder: Guard {
    let name: String
    var seen = Witness<String>()
    var actions = Witness<String>()
    var refusal: String?
    var wantsOldState = false

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      actions.saw("\(action)")
      seen.saw("\(name) should \(state.entries)")
      return refusal.map { Veto($0) }
    }

    func willUpdate<A: Action<Log>>(_ action: A, state: Log) {
      seen.saw("\(name) will \(state.entries)")
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      seen.saw("\(name) did \(old.map { "\($0.entries)" } ?? "-") \(new.entries)")
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      if case .failed(let error) = report.outcome { seen.saw("\(name) failed \(error)") }
    }
  }

  /// A way to run an action, which returns the outcome without the output, or `nil` if the action throws.
  private typealias Call = @Sendable (Store<Log>) async -> Outcome<Void>?

  private static let calls: [(name: String, isFailing: Bool, call: Call)] = [
    ("mutation", false, { await $0.dispatch(Append(1)).map { _ in } }),
    ("action", false, { await $0.dispatch(SlowAppend(1)).map { _ in } }),
    ("closure", false, { await $0.dispatch { $0.entries.append(1) } }),
    ("async closure", false, { await $0.dispatch { log async in log.entries.append(1) } }),
    ("any", false, { try? await ($0.dispatch(Append(1) as any Action<Log>)).map { _ in } }),
    ("returning", false, { await $0.dispatch(Append(1), returning: { _ in }) }),
    ("on an actor", false, { await dispatchOnMainActor($0) }),
    ("sent", false, { await $0.send(Append(1)).outcome.map { _ in } }),
    ("sent action", false, { await $0.send(SlowAppend(1)).outcome.map { _ in } }),
    ("overlapping", false, { await $0.dispatch(SlowAppend(1), policy: .overlapping).map { _ in } }),
    ("sent overlapping", false, { await $0.send(SlowAppend(1), policy: .overlapping).outcome.map { _ in } }),
    ("failing overlapping", true, { try? await $0.dispatch(FailHalfway(), policy: .overlapping) }),
    ("sent failing overlapping", true, { try? await $0.send(FailHalfway(), policy: .overlapping).outcome }),
    ("failing mutation", true, { try? await $0.dispatch(FailingMutation()) }),
    ("failing action", true, { try? await $0.dispatch(FailHalfway()) }),
    ("sent failing mutation", true, { try? await $0.send(FailingMutation()).outcome }),
    ("sent failing action", true, { try? await $0.send(FailHalfway()).outcome }),
  ]

  @MainActor private static func dispatchOnMainActor(_ store: Store<Log>) async -> Outcome<Void> {
    await store.dispatch(Append(1)).map { _ in }
  }

  @Test(arguments: calls.indices)
  func hooksRunInTheOrderOfTheGuards(_ index: Int) async {
    let (name, isFailing, call) = Self.calls[index]
    let seen = Witness<String>()
    let store = Store(
      Log(), guards: [Recorder(name: "a", seen: seen), Recorder(name: "b", seen: seen, wantsOldState: true)])
    let outcome = await call(store)
    let asked = ["a should []", "b should []", "a will []", "b will []"]
    if isFailing {
      #expect(outcome == nil)
      #expect(seen.all == asked + ["a failed Boom(code: 0)", "b failed Boom(code: 0)"], "\(name)")
    } else {
      #expect(outcome?.isCommitted == true)
      #expect(seen.all == asked + ["a did - [1]", "b did [] [1]"], "\(name)")
    }
  }

  @Test(arguments: calls.indices)
  func theFirstVetoRefusesTheAction(_ index: Int) async {
    let (name, _, call) = Self.calls[index]
    let seen = Witness<String>()
    let store = Store(
      Log(),
      guards: [
        Recorder(name: "a", seen: seen), Recorder(name: "b", seen: seen, refusal: "no"),
        Recorder(name: "c", seen: seen),
      ])
    let outcome = await call(store)
    guard case .vetoed(let veto) = outcome else {
      Issue.record("\(name): \(String(describing: outcome))")
      return
    }
    #expect(veto == Veto("no", by: Recorder.self))
    #expect("\(veto)" == "Recorder: no")
    #expect(seen.all == ["a should []", "b should []"], "\(name)")
    #expect(await store.state.entries == [], "\(name)")
    #expect(store.diagnostics.revision == 0)
    #expect(store.diagnostics.holder == nil, "\(name)")
  }

  private struct Quote: Guard {
    typealias State = Log
    let other: any Guard<Log>

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      other.veto(action, state: state).map { Veto($0.reason, by: type(of: other)) }
    }
  }

  @Test func aGuardMayReturnAnotherGuardsVeto() async {
    let store = Store(Log(), guards: [Quote(other: Recorder(name: "", refusal: "no"))])
    let outcome = await store.dispatch(Append(1))
    #expect(outcome == .vetoed(Veto("no", by: Recorder.self)))
    #expect(outcome != .vetoed(Veto("no", by: Quote.self)))
  }

  /// Keeps a copy of the expected state, and records each difference.
  private final class Auditor: Guard {
    typealias State = Log
    private let last = Locked<[Int]>([])
    let problems = Witness<String>()

    var wantsOldState: Bool { true }

    private func expect(_ entries: [Int], _ hook: String) {
      let expected = last.withLock { $0 }
      if entries != expected { problems.saw("\(hook) got \(entries), not \(expected)") }
    }

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      expect(state.entries, "veto")
      return action is Refused ? Veto("refused") : nil
    }

    func willUpdate<A: Action<Log>>(_ action: A, state: Log) {
      expect(state.entries, "willUpdate")
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      expect(old?.entries ?? [], "didUpdate")
      last.withLock { $0 = new.entries }
    }
  }

  private struct Refused: Mutation {
    func run(_ log: inout Log) { log.entries.append(-1) }
  }

  /// Under any schedule, each hook gets the state that the previous action left.
  @Test func hooksSeeTheStateThatTheActionStartsFrom() {
    explore {
      let auditor = Auditor()
      let store = Store(Log(), guards: [auditor])
      await withTaskGroup { group in
        for task in 0..<4 {
          group.addTask {
            await store.dispatch(SlowAppend(task))
            _ = await store.send(Append(task)).outcome
            _ = try? await store.dispatch(FailHalfway())
            _ = try? await store.dispatch(FailHalfway(), policy: .overlapping)
            await store.dispatch(Refused())
            await store.dispatch { log async in
              log.entries.append(task)
              await store.dispatch(Append(task))
            }
          }
        }
      }
      // This action runs after all deferred ones.
      await store.dispatch { _ async in }
      let entries = await store.state.entries
      if let problem = auditor.problems.all.first { return problem }
      return entries.count == 16 ? nil : "\(entries)"
    }
  }

  /// Inspects the store from its hooks.
  private struct Inspector: Guard {
    typealias State = Log
    let store = Witness<Weak<Store<Log>>>()
    let seen = Witness<StoreDiagnostics>()
    let reads = Witness<Task<[Int], Never>>()

    private func look() {
      guard let store = store.all.first?.object else { return }
      seen.saw(store.diagnostics)
      // The read begins now, and ends as soon as the state is readable.
      reads.saw(Task.immediate { await store.state.entries })
    }

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      look()
      return action is Refused ? Veto("refused") : nil
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      look()
    }
  }

  @Test func p5_didUpdateRunsAfterTheCommitAndBeforeTheHandOff() async {
    let inspector = Inspector()
    let store = Store(Log(), guards: [inspector])
    inspector.store.saw(Weak(store))
    await store.dispatch(Append(1))
    await store.dispatch(SlowAppend(2))
    #expect(inspector.seen.all.map(\.revision) == [0, 1, 1, 2])
    #expect(inspector.seen.all.allSatisfy { $0.holder != nil })
    #expect(await inspector.reads.all.last?.value == [1, 2])
    #expect(store.diagnostics.holder == nil)
  }

  /// Otherwise, the next holder would find the action still waiting for a turn.
  @Test func hooksNeverSeeTheirOwnActionOverlap() async {
    let inspector = Inspector()
    let store = Store(Log(), guards: [inspector])
    inspector.store.saw(Weak(store))
    await store.dispatch(SlowAppend(1), policy: .overlapping)
    _ = try? await store.dispatch(FailHalfway(), policy: .overlapping)
    #expect(inspector.seen.all.map(\.overlapping) == [[], [], []])
    #expect(inspector.seen.all.map { $0.holder?.label } == ["SlowAppend", "SlowAppend", "FailHalfway"])
  }

  @Test func p6_aReadThatWaitsForAVetoIsAnswered() async {
    let inspector = Inspector()
    let store = Store(Log(entries: [1]), guards: [inspector])
    inspector.store.saw(Weak(store))
    await store.dispatch(Refused())
    #expect(await inspector.reads.all.first?.value == [1])
    await store.dispatch(Append(2))
    #expect(await inspector.reads.all.last?.value == [1, 2])
  }

  /// Notes whether the state can be read without waiting.
  private struct Peek: Mutation {
    let store: Weak<Store<Log>>
    let seen: Witness<Bool>

    func run(_ log: inout Log) {
      seen.saw(store.object?.readable != nil)
      log.entries.append(0)
    }
  }

  private struct PeekingGuard: Guard {
    typealias State = Log
    let store = Witness<Weak<Store<Log>>>()
    let seen = Witness<Bool>()

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      for store in store.all { seen.saw(store.object?.readable != nil) }
      return nil
    }
  }

  @Test func p6_theStateIsReadableInGuardsButNotDuringTheEdit() async {
    let (peeking, seen) = (PeekingGuard(), Witness<Bool>())
    let store = Store(Log(entries: []), guards: [peeking])
    peeking.store.saw(Weak(store))
    await store.dispatch(Peek(store: Weak(store), seen: seen))
    store.send(Peek(store: Weak(store), seen: seen))
    await store.waitUntilIdle()
    #expect(peeking.seen.all == [true, true] && seen.all == [false, false])
    #expect(await store.state.entries == [0, 0])
  }

  /// Sends an action from each hook.
  private struct Sender: Guard {
    typealias State = Log
    let store = Witness<Weak<Store<Log>>>()

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      if action is SlowAppend { store.all.first?.object?.send(Append(10)) }
      return action is Refused ? Veto("refused") : nil
    }

    func willUpdate<A: Action<Log>>(_ action: A, state: Log) {
      if action is SlowAppend { store.all.first?.object?.send(Append(20)) }
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) {
      if action is SlowAppend { store.all.first?.object?.send(Append(30)) }
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      if report.outcome.kind == .failed { store.all.first?.object?.send(Append(40)) }
    }
  }

  @Test func hooksMaySend() async {
    let sender = Sender()
    let store = Store(Log(), guards: [sender])
    sender.store.saw(Weak(store))
    await store.dispatch(SlowAppend(1))
    await store.dispatch { _ async in }
    #expect(await store.state.entries == [1, 10, 20, 30])
    _ = try? await store.dispatch(FailHalfway())
    await store.dispatch(Refused())
    await store.dispatch { _ async in }
    #expect(await store.state.entries == [1, 10, 20, 30, 40])
  }

  @Test func guardsAreNotAskedAboutActionsThatNeverRun() async {
    let seen = Witness<String>()
    let store = Store(Log(), guards: [Recorder(name: "a", seen: seen)])
    await Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      await store.dispatch(Append(1))
    }.value
    store.close()
    #expect(await store.dispatch(Append(1)) == .closed)
    #expect(seen.all.isEmpty)
  }

  @Test func guardsAreNotAskedAboutActionsCanceledInTheQueue() async {
    let recorder = Recorder(name: "a")
    let store = Store(Log(), guards: [recorder])
    let held = Hold(until: Gate())
    store.send(held)
    let waiting = [
      Task { await store.dispatch(SlowAppend(1)) }, Task { await store.dispatch(SlowAppend(1), policy: .overlapping) },
      Task { (try? await store.transaction { try await $0.run(SlowAppend(1)) }) ?? .closed },
    ]
    await store.waitUntilQueued(3)
    for task in waiting { task.cancel() }
    for task in waiting { #expect(await task.value == .cancelled) }
    held.end.open()
    await store.dispatch { _ async in }
    #expect(recorder.actions.all.count == 2)
  }

  /// The old state is the one that the commit replaces, not the one that the action started from.
  @Test func didUpdateGetsTheStateThatAnOverlappingActionReplaces() async {
    let recorder = Recorder(name: "a", wantsOldState: true)
    let store = Store(Log(), guards: [recorder])
    let begun = Gate()
    let end = Gate()
    async let overlapping = store.dispatch(policy: .overlapping) { log async in
      begun.open()
      await end.wait()
      log.entries.append(1)
    }
    await begun.wait()
    await store.dispatch(Append(2))
    // The commit waits for a turn.
    let held = Hold(until: Gate())
    store.send(held)
    await held.begun.wait()
    end.open()
    await store.waitUntilQueued(1)
    held.end.open()
    _ = await overlapping
    #expect(
      recorder.seen.all.filter { $0.contains("did") } == ["a did [] [2]", "a did [2] [2, 0]", "a did [2, 0] [1]"])
    #expect(recorder.seen.all.count == 9)
  }

  @Test func guardsAreAskedAboutADeferredActionWhenItRuns() async {
    let recorder = Recorder(name: "a")
    let store = Store(Log(), guards: [recorder])
    await store.dispatch(label: "outer") { log async in
      await store.dispatch(label: "inner") { $0.entries.append(2) }
      log.entries.append(1)
    }
    await store.dispatch(label: "last") { _ async in }
    #expect(recorder.actions.all == ["outer", "inner", "last"])
    #expect(recorder.seen.all.filter { $0.contains("should") } == ["a should []", "a should [1]", "a should [1, 2]"])
  }

  private struct Group: ActionGroup {
    func run(with store: Store<Log>) async { await store.dispatch(Append(1)) }
  }

  @Test func guardsDoNotSeeGroups() async {
    let recorder = Recorder(name: "a")
    let store = Store(Log(), guards: [recorder])
    await store.dispatch(Group())
    _ = await store.send(Group()).outcome
    #expect(recorder.actions.all == ["Append(entry: 1)", "Append(entry: 1)"])
  }

  private struct Silent: Guard {
    typealias State = Log
    var wantsOldState = false
  }

  @Test func p16_onlyGuardsThatWantTheOldStatePreventInPlaceEdits() async {
    func storage(_ store: Store<Log>) async -> UInt? {
      await store.dispatch { log in
        log.entries[0] += 1
        return log.entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      }.output
    }
    let plain = Store(Log(entries: Array(0..<1_000)), guards: [Silent(), Silent()])
    #expect(await storage(plain) == storage(plain))
    let keeping = Store(Log(entries: Array(0..<1_000)), guards: [Silent(), Silent(wantsOldState: true)])
    #expect(await storage(keeping) != storage(keeping))
  }

  private struct Count: Sendable {
    var value = 0
  }

  private struct Look: Guard {
    typealias State = Count
    var wantsOldState: Bool { true }
  }

  private struct Increment: Mutation {
    func run(_ count: inout Count) { count.value += 1 }
  }

  private struct SlowIncrement: Action {
    func run(_ count: inout Count) async { count.value += 1 }
  }

  @Test(.enabled(if: heap_calls_are_counted(), "heap calls are counted with glibc and without sanitizers"))
  func p17_guardsAllocateNothing() async {
    let store = Store(Count(), guards: [Look(), Look()])
    #expect(await heapCalls { await store.dispatch(Increment()) } == 0)
    #expect(await heapCalls { await store.dispatch(SlowIncrement()) } == 0)
    #expect(await heapCalls { await store.dispatch { $0.value += 1 } } == 0)
  }
}
