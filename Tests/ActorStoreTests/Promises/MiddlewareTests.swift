import HeapCalls
import Synchronization
import Testing

@testable import ActorStore

/// P20: middleware wraps the run of each action, in its turn and its task.
@Suite struct MiddlewareTests {
  /// Fails a number of times, and changes the state each time.
  struct Flaky: Action {
    let failures: Failures
    func run(_ log: inout Log) async throws(Boom) -> Int {
      log.entries.append(-1)
      await Task.yield()
      if failures.next() { throw Boom() }
      log.entries[log.entries.count - 1] = 5
      return log.entries.count
    }
  }

  struct FlakyMutation: Mutation {
    let failures: Failures
    func run(_ log: inout Log) throws(Boom) -> Int {
      log.entries.append(-1)
      if failures.next() { throw Boom() }
      log.entries[log.entries.count - 1] = 5
      return log.entries.count
    }
  }

  final class Failures: Sendable {
    private let calls = Atomic<Int>(0)
    private let failures: Int
    init(_ failures: Int) { self.failures = failures }
    /// The number of calls of `next` so far.
    var count: Int { calls.load(ordering: .relaxed) }
    func next() -> Bool { calls.wrappingAdd(1, ordering: .relaxed).oldValue < failures }
  }

  typealias Call = @Sendable (Store<Log>) async -> Outcome<Void>?

  /// Every way to run `Append(1)` or `SlowAppend(1)`, and to fail.
  static let calls: [(name: String, isFailing: Bool, call: Call)] = [
    ("mutation", false, { await $0.dispatch(Append(1)).map { _ in } }),
    ("action", false, { await $0.dispatch(SlowAppend(1)).map { _ in } }),
    ("closure", false, { await $0.dispatch { $0.entries.append(1) } }),
    ("async closure", false, { await $0.dispatch { log async in log.entries.append(1) } }),
    ("any", false, { try? await ($0.dispatch(Append(1) as any Action<Log>)).map { _ in } }),
    ("on an actor", false, { await onMainActor($0) }),
    ("sent", false, { await $0.send(Append(1)).outcome.map { _ in } }),
    ("sent action", false, { await $0.send(SlowAppend(1)).outcome.map { _ in } }),
    ("overlapping", false, { await $0.dispatch(SlowAppend(1), policy: .overlapping).map { _ in } }),
    ("sent overlapping", false, { await $0.send(SlowAppend(1), policy: .overlapping).outcome.map { _ in } }),
    (
      "member", false,
      {
        await $0.transaction { (t: inout Store<Log>.Transaction) async throws(Veto) in try await t.run(Append(1)) }.map
        { _ in }
      }
    ),
    (
      "async member", false,
      {
        await $0.transaction { (t: inout Store<Log>.Transaction) async throws(Veto) in try await t.run(SlowAppend(1)) }
          .map { _ in }
      }
    ),
    (
      "closure member", false,
      {
        await $0.transaction { (t: inout Store<Log>.Transaction) async throws(Veto) in
          try await t.run { $0.entries.append(1) }
        }
      }
    ),
    ("failing mutation", true, { try? await $0.dispatch(FailingMutation()) }),
    ("failing action", true, { try? await $0.dispatch(FailHalfway()) }),
    ("failing overlapping", true, { try? await $0.dispatch(FailHalfway(), policy: .overlapping) }),
    ("sent failing mutation", true, { try? await $0.send(FailingMutation()).outcome }),
    ("sent failing action", true, { try? await $0.send(FailHalfway()).outcome }),
    ("failing member", true, { try? await $0.transaction { t async throws in try await t.run(FailingMutation()) } }),
    ("failing async member", true, { try? await $0.transaction { t async throws in try await t.run(FailHalfway()) } }),
  ]

  @MainActor private static func onMainActor(_ store: Store<Log>) async -> Outcome<Void> {
    await store.dispatch(Append(1)).map { _ in }
  }

  // MARK: Order

  @Test(arguments: calls.indices)
  func p20_theFirstMiddlewareIsTheOutermost(_ index: Int) async {
    let (name, isFailing, call) = Self.calls[index]
    let seen = Witness<String>()
    let store = Store(
      Log(), middleware: [Tracer(name: "a", seen: seen), Tracer(name: "b", seen: seen)], onUnhandledFailure: { _ in })
    let outcome = await call(store)
    if isFailing {
      #expect(outcome == nil)
      #expect(seen.all == ["a before []", "b before []", "b threw []", "a threw []"], "\(name)")
      #expect(await store.state == Log() && store.diagnostics.revision == 0)
    } else {
      #expect(outcome?.isCommitted == true)
      #expect(seen.all == ["a before []", "b before []", "b after [1]", "a after [1]"], "\(name)")
      #expect(await store.state.entries == [1] && store.diagnostics.revision == 1)
    }
    #expect(store.diagnostics.isIdle)
  }

  @Test(arguments: calls.indices)
  func p20_asynchronousMiddlewareWrapsMutationsToo(_ index: Int) async {
    let (name, isFailing, call) = Self.calls[index]
    let seen = Witness<String>()
    let store = Store(
      Log(), middleware: [Tracer(name: "a", seen: seen), Suspending(), Tracer(name: "b", seen: seen)],
      onUnhandledFailure: { _ in })
    let outcome = await call(store)
    let after = isFailing ? ["b threw []", "a threw []"] : ["b after [1]", "a after [1]"]
    #expect(seen.all == ["a before []", "b before []"] + after, "\(name)")
    #expect((outcome?.isCommitted == true) == !isFailing)
    #expect(await store.state.entries == (isFailing ? [] : [1]), "\(name)")
    #expect(store.diagnostics.isIdle)
  }

  @Test(arguments: calls.indices)
  func p20_guardsAndMiddleware(_ index: Int) async {
    struct Listener: Guard {
      let seen: Witness<String>
      func willUpdate<A: Action<Log>>(_ action: A, state: Log) { seen.saw("will") }
      func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) { seen.saw("did \(new.entries)") }
      func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
        if report.member == nil { seen.saw("\(report.outcome.kind)") }
      }
    }
    let (name, isFailing, call) = Self.calls[index]
    let seen = Witness<String>()
    let store = Store(
      Log(), guards: [Listener(seen: seen)], middleware: [Tracer(name: "a", seen: seen)], onUnhandledFailure: { _ in })
    _ = await call(store)
    let end = isFailing ? ["a threw []", "failed"] : ["a after [1]", "did [1]", "committed"]
    #expect(seen.all == ["will", "a before []"] + end, "\(name)")
  }

  @Test func p20_aGroupAndATransactionAreNotWrapped() async throws {
    struct Pair: ActionGroup {
      func run(with store: Store<Log>) async -> Int {
        await store.dispatch(Append(1))
        await store.dispatch(SlowAppend(2))
        return 2
      }
    }
    let seen = Witness<String>()
    let store = Store(Log(), middleware: [Tracer(name: "a", seen: seen)])
    await store.dispatch(Pair())
    #expect(seen.all == ["a before []", "a after [1]", "a before [1]", "a after [1, 2]"])
    seen.clear()
    try await store.transaction { transaction in
      try transaction.run(Append(3))
      try transaction.run(Append(4))
    }
    #expect(seen.all == ["a before [1, 2]", "a after [1, 2, 3]", "a before [1, 2, 3]", "a after [1, 2, 3, 4]"])
  }

  // MARK: Task and task-locals

  private enum Span { @TaskLocal static var name = "" }

  /// Binds a task-local around the action.
  private struct Spans: SynchronousMiddleware {
    typealias State = Log

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      let result: Result<A.Output, Stop<A.Failure>> = await Span.$name.withValue("\(A.self)") {
        do throws(Stop<A.Failure>) { return .success(try await next(action, &log)) } catch { return .failure(error) }
      }
      return try result.get()
    }

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      let result: Result<A.Output, Stop<A.Failure>> = Span.$name.withValue("\(A.self)") {
        do throws(Stop<A.Failure>) { return .success(try next(action, &log)) } catch { return .failure(error) }
      }
      return try result.get()
    }
  }

  @Test func p20_aTaskLocalIsBoundAroundTheAction() async {
    struct See: Action {
      func run(_ log: inout Log) async -> String { Span.name }
    }
    struct SeeNow: Mutation {
      func run(_ log: inout Log) -> String { Span.name }
    }
    let store = Store(Log(), middleware: [Spans()])
    #expect(await store.dispatch(See()).output == "See")
    #expect(await store.dispatch(SeeNow()).output == "SeeNow")
    #expect(await store.dispatch(See(), policy: .overlapping).output == "See")
    #expect(await store.send(SeeNow()).outcome.output == "SeeNow")
    #expect(Span.name == "")
  }

  @Test func p20_itRunsInTheCallersTask() async {
    enum Here { @TaskLocal static var value = 0 }
    struct Look: SynchronousMiddleware {
      typealias State = Log

      let seen: Witness<Int>
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        seen.saw(Here.value)
        return try await next(action, &log)
      }
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout SynchronousNext<A>
      ) throws(Stop<A.Failure>) -> A.Output {
        seen.saw(Here.value)
        return try next(action, &log)
      }
    }
    let seen = Witness<Int>()
    let store = Store(Log(), middleware: [Look(seen: seen)])
    await Here.$value.withValue(3) {
      await store.dispatch(Append(1))
      await store.dispatch(SlowAppend(1))
    }
    #expect(seen.all == [3, 3])
  }

  // MARK: Replacing

  /// Runs another action, returns a result without running anything, or replaces the error.
  private struct Replacer: SynchronousMiddleware {
    typealias State = Log

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      if let slow = action as? SlowAppend, let other = SlowAppend(slow.entry * 10) as? A {
        return try await next(other, &log)
      }
      do throws(Stop<A.Failure>) {
        return try await next(action, &log)
      } catch {
        if let other = Boom(code: 7) as? A.Failure { throw .failed(other) }
        throw error
      }
    }

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      if action is Append, let result = 42 as? A.Output { return result }
      return try next(action, &log)
    }
  }

  @Test func p20_anotherActionResultOrError() async {
    let store = Store(Log(), middleware: [Replacer()])
    #expect(await store.dispatch(SlowAppend(2)).output == 1)
    #expect(await store.state.entries == [20])
    #expect(await store.dispatch(Append(2)).output == 42)
    #expect(await store.state.entries == [20] && store.diagnostics.revision == 2, "committed without a change")
    await #expect(throws: Boom(code: 7)) { try await store.dispatch(FailHalfway()) }
  }

  /// A middleware that recovers from a failure commits the restored draft.
  @Test func p20_aFailureThatIsRecoveredFrom() async throws {
    struct Recover: SynchronousMiddleware {
      typealias State = Log

      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        do throws(Stop<A.Failure>) { return try await next(action, &log) } catch {
          if let nothing = () as? A.Output { return nothing }
          throw error
        }
      }
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout SynchronousNext<A>
      ) throws(Stop<A.Failure>) -> A.Output {
        do throws(Stop<A.Failure>) { return try next(action, &log) } catch {
          if let nothing = () as? A.Output { return nothing }
          throw error
        }
      }
    }
    let store = Store(Log(entries: [3]), middleware: [Recover()])
    #expect(try await store.dispatch(FailHalfway()).isCommitted)
    #expect(try await store.dispatch(FailingMutation()).isCommitted)
    #expect(try await store.dispatch(FailHalfway(), policy: .overlapping).isCommitted)
    #expect(await store.state.entries == [3] && store.diagnostics.revision == 3)
  }

  // MARK: Refusing

  @Test(arguments: calls.indices, [false, true])
  func p20_aVetoBeforeNextRefusesTheAction(_ index: Int, _ changesState: Bool) async {
    let (name, _, call) = Self.calls[index]
    let reports = Witness<String>()
    struct Reports: ReportGuard {
      let seen: Witness<String>
      func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
        if report.member == nil { seen.saw("\(report.outcome.kind) \(report.revision)") }
      }
    }
    let refuser = Refuser(changesState: changesState)
    let stores = [
      Store(Log(), middleware: [refuser], onUnhandledFailure: { _ in }),
      Store(Log(), guards: [Reports(seen: reports)], middleware: [refuser], onUnhandledFailure: { _ in }),
      Store(Log(), middleware: [Suspending(), refuser], onUnhandledFailure: { _ in }),
    ]
    for store in stores {
      let outcome = await call(store)
      guard case .vetoed(let veto) = outcome else {
        Issue.record("\(name): \(String(describing: outcome))")
        continue
      }
      #expect(veto.reason == "no" && veto.refuser == Refuser.self)
      #expect(await store.state == Log() && store.diagnostics.revision == 0, "\(name)")
      #expect(store.diagnostics.isIdle)
      #expect(store.guards?.hasNoWaitingCalls == true)
    }
    #expect(reports.all == ["vetoed 0"], "\(name)")
  }

  /// A sent action that was refused and that no task awaits is an unhandled failure, even if it cannot fail.
  @Test func p20_aRefusedSentActionIsUnhandled() async throws {
    let failures = Witness<String>()
    let store = Store(Log(), middleware: [Refuser()]) { failures.saw("\($0.error)") }
    store.send(Append(1))
    store.send(SlowAppend(1))
    store.close()
    try await store.closeAndDrain()
    #expect(failures.all.count == 2)
    #expect(failures.all.allSatisfy { $0.contains("Refuser: no") }, "\(failures.all)")
  }

  /// Reads the state in the middle of a mutation, and refuses the mutation or lets it run.
  private struct Reader: SynchronousMiddleware {
    typealias State = Log
    let place: Place
    let seen: Witness<String>
    let changesState: Bool
    let refuses: Bool

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      try await next(action, &log)
    }

    func run<A: Action<Log>>(
      _ action: A, on log: inout Log, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      let isReadable = place.queue.withLock { $0 }?.read({}, later: { seen.saw("read later") })
      seen.saw(isReadable == true ? "readable" : "not readable")
      if refuses { throw .vetoed(Veto("no")) }
      return try next(action, &log)
    }
  }

  /// A read during an edit in place waits, also if the middleware then refuses the mutation.
  ///
  /// A read during a mutation on a draft does not wait.
  @Test(arguments: [false, true], [false, true])
  func p20_readsDuringAMutation(_ changesState: Bool, _ refuses: Bool) async {
    let (place, seen) = (Place(), Witness<String>())
    let reader = Reader(place: place, seen: seen, changesState: changesState, refuses: refuses)
    let store = Store(Log(), middleware: [reader])
    place.queue.withLock { $0 = store.queue }
    let outcome = await store.dispatch(Append(1))
    #expect(outcome.isCommitted == !refuses)
    #expect(seen.all == (changesState ? ["readable"] : ["not readable", "read later"]))
    #expect(await store.state.entries == (refuses ? [] : [1]))
    place.queue.withLock { $0 = nil }
  }

  private final class Place: Sendable {
    let queue = Locked<TurnQueue?>(nil)
  }

  @Test func p20_aVetoOfAMemberRollsBackOnlyTheMember() async throws {
    struct Picky: SynchronousMiddleware {
      typealias State = Log

      var changesState: Bool { true }
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        log.entries.append(50)
        if (action as? SlowAppend)?.entry == 2 { throw .vetoed(Veto("not 2")) }
        return try await next(action, &log)
      }
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout SynchronousNext<A>
      ) throws(Stop<A.Failure>) -> A.Output {
        log.entries.append(60)
        if (action as? Append)?.entry == 2 { throw .vetoed(Veto("not 2")) }
        return try next(action, &log)
      }
    }
    let store = Store(Log(), middleware: [Picky()])
    try await store.transaction { transaction async throws in
      for entry in 1...3 { _ = try? await transaction.run(Append(entry)) }
      for entry in 1...3 { _ = try? await transaction.run(SlowAppend(entry)) }
    }
    #expect(await store.state.entries == [60, 1, 60, 3, 50, 1, 50, 3])
    #expect(store.diagnostics.revision == 1)
  }

  // MARK: Changing the state

  @Test(arguments: calls.indices)
  func p20_aMiddlewareThatChangesTheState(_ index: Int) async {
    let (name, isFailing, call) = Self.calls[index]
    let store = Store(Log(), middleware: [Marker()], onUnhandledFailure: { _ in })
    _ = await call(store)
    #expect(await store.state.entries == (isFailing ? [] : [100, 1, 101]), "\(name)")
    #expect(store.diagnostics.isIdle)
  }

  @Test func p20_aReadWhileAMutationWorksOnADraft() {
    explore {
      let store = Store(Log(), middleware: [Marker()])
      async let dispatched = store.dispatch(Append(1))
      async let read = store.state
      let (state, _) = await (read, dispatched)
      return [[], [100, 1, 101]].contains(state.entries) ? nil : "\(state)"
    }
  }

  // MARK: Retrying

  @Test func p20_nextRestoresTheDraftWhenItThrows() async throws {
    let seen = Witness<[Int]>()
    let store = Store(
      Log(entries: [9]), middleware: [Retrier(attempts: 3) { seen.saw($0.entries) }, Marker()],
      onUnhandledFailure: { _ in })
    #expect(try await store.dispatch(Flaky(failures: Failures(2))).output == 3)
    #expect(await store.state.entries == [9, 100, 5, 101])
    #expect(try await store.dispatch(FlakyMutation(failures: Failures(2))).isCommitted)
    #expect(await store.state.entries == [9, 100, 5, 101, 100, 5, 101])
    #expect(seen.all == [[9], [9], [9, 100, 5, 101], [9, 100, 5, 101]])
    await #expect(throws: Boom.self) { try await store.dispatch(Flaky(failures: Failures(3))) }
    await #expect(throws: Boom.self) { try await store.dispatch(FlakyMutation(failures: Failures(3))) }
    #expect(store.diagnostics.revision == 2)
  }

  @Test func p20_aRetryOfAMemberAndOfAnOverlappingAction() async throws {
    let store = Store(Log(), middleware: [Retrier(attempts: 2)])
    try await store.transaction { transaction async throws in
      try await transaction.run(Flaky(failures: Failures(1)))
      try await transaction.run(FlakyMutation(failures: Failures(1)))
    }
    #expect(await store.state.entries == [5, 5])
    #expect(try await store.dispatch(Flaky(failures: Failures(1)), policy: .overlapping).output == 3)
    #expect(await store.state.entries == [5, 5, 5] && store.diagnostics.revision == 2)
  }

  @Test func p20_cancellationPassesThrough() async {
    struct Wait: Action {
      let gate: Gate
      func run(_ log: inout Log) async throws(Boom) {
        await gate.wait()
        if Task.isCancelled { throw Boom(code: 1) }
      }
    }
    let seen = Witness<Bool>()
    let gate = Gate()
    let store = Store(Log(), middleware: [Retrier(attempts: 1_000_000) { _ in seen.saw(Task.isCancelled) }])
    let task = Task { try await store.dispatch(Wait(gate: gate)) }
    task.cancel()
    gate.open()
    let result = await task.result
    if case .success(let outcome) = result { return #expect(!outcome.isCommitted) }
    #expect(throws: Boom(code: 1)) { try result.get() }
    #expect(seen.all == [true])
  }

  // MARK: Invalid use

  @Test func p20_callingNextAgainAfterItReturned() async {
    await #expect(processExitsWith: .failure) {
      await Store(Log(), middleware: [Misuser(mistake: .callsTwice)]).dispatch(Append(1))
    }
    await #expect(processExitsWith: .failure) {
      await Store(Log(), middleware: [Misuser(mistake: .callsTwice)]).dispatch(SlowAppend(1))
    }
  }

  @Test func p20_aVetoAfterNext() async {
    await #expect(processExitsWith: .failure) {
      await Store(Log(), middleware: [Misuser(mistake: .vetoesAfterReturn)]).dispatch(Append(1))
    }
    await #expect(processExitsWith: .failure) {
      await Store(Log(), middleware: [Misuser(mistake: .vetoesAfterReturn)]).dispatch(SlowAppend(1))
    }
    await #expect(processExitsWith: .failure) {
      _ = try? await Store(Log(), middleware: [Misuser(mistake: .vetoesAfterFailure)]).dispatch(FailHalfway())
    }
  }

  @Test func p20_asynchronousMiddlewareAroundASynchronousMember() async {
    await #expect(processExitsWith: .failure) {
      await Store(Log(), middleware: [Suspending()]).transaction { (t: inout Store<Log>.Transaction) throws(Veto) in
        try t.run(Append(1))
      }
    }
  }

  // MARK: Costs

  /// Members that cannot fail edit one draft in place, also through a list of middleware.
  @Test func p20_membersThatCannotFailCopyNothing() async {
    struct Seen: Action {
      let addresses: Witness<Int>
      func run(_ log: inout Log) async {
        log.entries[0] += 1
        addresses.saw(log.entries.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
      }
    }
    let addresses = Witness<Int>()
    let store = Store(
      Log(entries: Array(repeating: 0, count: 1_000)), middleware: [Retrier(attempts: 2), Retrier(attempts: 2)])
    await store.transaction { (transaction: inout Store<Log>.Transaction) async throws(Veto) in
      for _ in 0..<5 { try await transaction.run(Seen(addresses: addresses)) }
    }
    #expect(addresses.all.count == 5 && Set(addresses.all).count == 1)
  }

  /// A mutation edits the state in place through synchronous middleware, and on a draft if the middleware changes it.
  @Test func p16_mutationsStayInPlace() async {
    struct Seen: Mutation {
      let addresses: Witness<Int>
      func run(_ log: inout Log) {
        log.entries[0] += 1
        addresses.saw(log.entries.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
      }
    }
    let addresses = Witness<Int>()
    let store = Store(
      Log(entries: Array(repeating: 0, count: 1_000)), middleware: [Retrier(attempts: 2), Retrier(attempts: 2)])
    for _ in 0..<5 { await store.dispatch(Seen(addresses: addresses)) }
    #expect(addresses.all.count == 5 && Set(addresses.all).count == 1)
  }

  @Test func p20_aStoreWithMiddlewareIsReleased() async throws {
    weak var former: Store<Log>?
    do {
      let store = Store(Log(), middleware: [Retrier(attempts: 2), Suspending()])
      former = store
      _ = try await store.dispatch(Flaky(failures: Failures(1)))
    }
    #expect(former == nil)
  }
}
