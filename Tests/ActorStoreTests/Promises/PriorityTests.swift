import Testing

@testable import ActorStore

/// Whether this system can raise the priority of a task.
private var canRaisePriorities: Bool {
  if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) { true } else { false }
}

/// P22: A waiting dispatch lends its priority to the calls ahead of it.
///
/// The tasks run inside the calls that start or resume them. So a task waits as soon as it has been created.
@Suite(.enabled(if: canRaisePriorities)) struct PriorityTests {
  private struct Seen: Equatable, Sendable {
    let entry: Int
    let priority: TaskPriority

    init(_ entry: Int, _ priority: TaskPriority = Task.currentPriority) {
      self.entry = entry
      self.priority = priority
    }
  }

  private struct Look: Action {
    let entry: Int
    func run(_ seen: inout [Seen]) async { seen.append(Seen(entry)) }
  }

  private struct Glance: Mutation {
    let entry: Int
    func run(_ seen: inout [Seen]) { seen.append(Seen(entry)) }
  }

  enum Call: CaseIterable {
    case action, mutation, transaction, sentAction, sentMutation
  }

  /// A task that makes a call.
  private struct Caller {
    let task: Task<Bool, Never>
    /// Awaiting the task would raise its priority.
    let end: Gate
  }

  /// A store whose turn is held until `finish()`.
  private struct Busy {
    let store: Store<[Seen]>
    private let end: Gate
    private let executor = InlineExecutor()

    init(_ store: Store<[Seen]>, until end: Gate) {
      (self.store, self.end) = (store, end)
    }

    init() async {
      self.init(Store([Seen]()), until: Gate())
      let begun = Gate()
      store.send { [end] (_) async in
        begun.open()
        await end.wait()
      }
      await begun.wait()
    }

    /// Makes a call in a new task, and returns when the call waits.
    @discardableResult
    func call(_ entry: Int, _ priority: TaskPriority, _ call: Call = .action) -> Caller {
      let expected = store.queueLength + 1
      let caller = run(priority) { [store] in
        switch call {
        case .action: await store.dispatch(Look(entry: entry)).isCommitted
        case .mutation: await store.dispatch(Glance(entry: entry)).isCommitted
        case .transaction:
          (try? await store.transaction { try await $0.run(Look(entry: entry)) })?.isCommitted == true
        case .sentAction: await store.send(Look(entry: entry)).outcome.isCommitted
        case .sentMutation: await store.send(Glance(entry: entry)).outcome.isCommitted
        }
      }
      #expect(store.queueLength >= expected)
      return caller
    }

    func run(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Bool) -> Caller {
      let end = Gate()
      let task = Task(executorPreference: executor, priority: priority) {
        defer { end.open() }
        return await body()
      }
      return Caller(task: task, end: end)
    }

    func release() { end.open() }

    /// Releases the turn, and returns what the actions saw.
    func finish(_ callers: [Caller]) async -> [Seen] {
      release()
      for caller in callers { await caller.end.wait() }
      for caller in callers { #expect(await caller.task.value) }
      return await store.state
    }
  }

  @Test(arguments: Call.allCases)
  func p22_aHighPriorityCallRaisesTheCallsAheadOfIt(_ kind: Call) async {
    let busy = await Busy()
    let calls = [
      busy.call(1, .background, kind), busy.call(2, .low, kind), busy.call(3, .high),
    ]
    #expect(await busy.finish(calls) == [Seen(1, .high), Seen(2, .high), Seen(3, .high)])
  }

  @Test(arguments: Call.allCases)
  func p22_everyKindOfCallLendsItsPriority(_ kind: Call) async {
    let busy = await Busy()
    let calls = [busy.call(1, .background), busy.call(2, .high, kind)]
    #expect(await busy.finish(calls) == [Seen(1, .high), Seen(2, .high)])
  }

  private struct ReadPriority: Action {
    func run(_ seen: inout [Seen]) async -> TaskPriority { Task.currentPriority }
  }

  @Test func p22_anOverlappingActionThatWaitsToStartIsRaised() async {
    let busy = await Busy()
    let low = busy.run(.background) { [store = busy.store] in
      await store.dispatch(ReadPriority(), policy: .overlapping).output == .high
    }
    // The overlapping action commits its draft last, which replaces the other change.
    #expect(await busy.finish([low, busy.call(1, .high)]) == [])
  }

  /// A call lends nothing to the calls behind it, and never lowers a priority.
  @Test func p22_aCallLendsOnlyToCallsAheadThatHaveALowerPriority() async {
    let busy = await Busy()
    let calls = [
      busy.call(1, .high), busy.call(2, .background), busy.call(3, .medium), busy.call(4, .background),
      busy.call(5, .low), busy.call(6, .background),
    ]
    #expect(
      await busy.finish(calls) == [
        Seen(1, .high), Seen(2, .medium), Seen(3, .medium), Seen(4, .low), Seen(5, .low), Seen(6, .background),
      ])
  }

  @Test func p22_aWithdrawnCallLendsNothing() async {
    let busy = await Busy()
    let first = busy.call(1, .background)
    let (medium, high) = (busy.call(2, .medium), busy.call(3, .high))
    high.task.cancel()
    #expect(await high.task.value == false)
    #expect(await busy.finish([first, medium]) == [Seen(1, .medium), Seen(2, .medium)])
  }

  /// Sent actions whose tasks have not started wait without an executor.
  @Test(.enabled(if: RuntimeEntries.areUsed))
  func p22_aTaskThatHasNotStartedIsRaised() async {
    let busy = await Busy()
    let store = busy.store
    let sent = await Task.detached(priority: .background) {
      [store.send(Look(entry: 1)), store.send { $0.append(Seen(2)) }]
    }.value
    #expect(await busy.finish([busy.call(3, .high)]) == [Seen(1, .high), Seen(2, .high), Seen(3, .high)])
    for ticket in sent { #expect(await ticket.outcome.isCommitted) }
  }

  /// A deferred call waits like any other.
  @Test func p22_aDeferredCallLendsThePriorityOfItsCaller() async {
    let (store, begun, goOn, executor) = (Store([Seen]()), Gate(), Gate(), InlineExecutor())
    let owner = Task(executorPreference: executor, priority: .high) {
      await store.dispatch { _ async in
        begun.open()
        await goOn.wait()
        #expect(await store.dispatch(Look(entry: 2)).isDeferred)
      }.isCommitted
    }
    await begun.wait()
    let low = Task(executorPreference: executor, priority: .background) { await store.dispatch(Look(entry: 1)) }
    #expect(store.queueLength == 1)
    goOn.open()
    #expect(await owner.value)
    #expect(await low.value.isCommitted)
    await store.dispatch { _ in }
    #expect(await store.state == [Seen(1, .high), Seen(2, .high)])
  }

  // MARK: The action that has the turn

  /// Records its priority in its turn, suspends, and records its priority again.
  private struct Pause: Action {
    let entry: Int
    let begun = Gate()
    let end = Gate()

    func run(_ seen: inout [Seen]) async {
      seen.append(Seen(entry))
      begun.open()
      await end.wait()
      seen.append(Seen(entry))
    }
  }

  enum Holder: CaseIterable {
    case dispatched, sent, transaction, dispatchedOnAnActor
  }

  private actor OtherActor {
    func dispatch(_ pause: Pause, to store: Store<[Seen]>, after prepare: () -> Void) async {
      prepare()
      await store.dispatch(pause)
    }
  }

  /// Runs an action at background priority.
  private static func start(
    _ pause: Pause, in store: Store<[Seen]>, as kind: Holder, on executor: InlineExecutor = InlineExecutor(),
    after prepare: @escaping @Sendable () -> Void = {}
  ) {
    Task(executorPreference: executor, priority: .background) {
      if kind == .dispatchedOnAnActor { return await OtherActor().dispatch(pause, to: store, after: prepare) }
      prepare()
      switch kind {
      case .sent: _ = await store.send(pause).outcome
      case .transaction: _ = try? await store.transaction { try await $0.run(pause) }
      case .dispatched, .dispatchedOnAnActor: await store.dispatch(pause)
      }
    }
  }

  @Test(arguments: Holder.allCases, Call.allCases)
  func p22_aWaitingCallRaisesTheActionThatHasTheTurn(_ holder: Holder, _ call: Call) async {
    let (store, pause) = (Store([Seen]()), Pause(entry: 1))
    Self.start(pause, in: store, as: holder)
    let busy = Busy(store, until: pause.end)
    let calls = [busy.call(2, .low), busy.call(3, .high, call)]
    #expect(await busy.finish(calls) == [Seen(1, .background), Seen(1, .high), Seen(2, .high), Seen(3, .high)])
  }

  /// The calls that waited when the action got its turn had a lower priority.
  @Test(arguments: Holder.allCases)
  func p22_aLaterCallRaisesAnActionThatHasWaited(_ holder: Holder) async {
    let (busy, pause) = (await Busy(), Pause(entry: 1))
    Self.start(pause, in: busy.store, as: holder)
    let medium = busy.call(2, .medium)
    busy.release()
    await pause.begun.wait()
    let next = Busy(busy.store, until: pause.end)
    let calls = [medium, next.call(3, .high)]
    #expect(await next.finish(calls) == [Seen(1, .medium), Seen(1, .high), Seen(2, .high), Seen(3, .high)])
  }

  /// The executor has yet to run the action's task.
  @Test(arguments: Holder.allCases)
  func p22_anActionThatIsAboutToBeginIsRaised(_ holder: Holder) async {
    let (busy, pause, executor) = (await Busy(), Pause(entry: 1), InlineExecutor())
    Self.start(pause, in: busy.store, as: holder, on: executor)
    executor.hold()
    busy.release()
    await executor.holdsJob.wait()
    let high = busy.call(2, .high)
    executor.release()
    pause.end.open()
    #expect(await busy.finish([high]) == [Seen(1, .high), Seen(1, .high), Seen(2, .high)])
  }

  @Test(arguments: [Holder.sent, .dispatchedOnAnActor])
  func p22_anActionThatIsAboutToBeginInAnIdleStoreIsRaised(_ holder: Holder) async {
    let (store, pause, executor) = (Store([Seen]()), Pause(entry: 1), InlineExecutor())
    Self.start(pause, in: store, as: holder, on: executor) { executor.hold() }
    let busy = Busy(store, until: pause.end)
    let high = busy.call(2, .high)
    executor.release()
    #expect(await busy.finish([high]) == [Seen(1, .high), Seen(1, .high), Seen(2, .high)])
  }

  /// The handler runs user code, which can use the store, so it must not run under a lock (P10).
  @Test func p22_escalationHandlersRunWithoutALock() async {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    let busy = await Busy()
    let store = busy.store
    let low = busy.run(.background) {
      await withTaskPriorityEscalationHandler {
        await store.dispatch(Look(entry: 1)).isCommitted
      } onPriorityEscalated: { _, new in
        let length = store.queueLength
        store.send { $0.append(Seen(length, new)) }
      }
    }
    let high = busy.call(2, .high)
    let seen = await busy.finish([low, high])
    await store.dispatch { _ in }
    // When the handler runs, the first call has its turn, and only the second waits.
    #expect(seen.prefix(2) == [Seen(1, .high), Seen(2, .high)])
    #expect(await store.state.last == Seen(1, .high))
  }

  @Test func p22_escalationHandlersOfTheActionThatHasTheTurnRunWithoutALock() async {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    let (store, pause) = (Store([Seen]()), Pause(entry: 1))
    let busy = Busy(store, until: pause.end)
    let low = busy.run(.background) {
      await withTaskPriorityEscalationHandler {
        await store.dispatch(pause).isCommitted
      } onPriorityEscalated: { _, new in
        let length = store.queueLength
        store.send { $0.append(Seen(length, new)) }
      }
    }
    let seen = await busy.finish([low, busy.call(2, .high)])
    #expect(seen.prefix(3) == [Seen(1, .background), Seen(1, .high), Seen(2, .high)])
    await store.dispatch { _ in }
    #expect(await store.state.last == Seen(1, .high))
  }
}

extension Outcome {
  fileprivate var isDeferred: Bool { if case .deferred = self { true } else { false } }
}
