import ActorStoreTesting
import Testing

@testable import ActorStore

/// An action from a guard or a stream of transitions keeps nothing from its run, so it can run again anywhere.
@Suite struct ActionAgainTests {
  /// Keeps each action that it is told about, and records the calls that it gets.
  private struct Keeper: Guard {
    typealias State = Log

    var refuses = false
    let actions = Witness<any Action<Log>>()
    let heard = Witness<String>()

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      heard.saw("asked about \(action)")
      return refuses ? Veto("no") : nil
    }

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) { actions.saw(action) }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      actions.saw(action)
      heard.saw("\(report.outcome.kind) \(action)")
    }
  }

  private enum Kind: CaseIterable { case mutation, action, closure, asyncClosure, transaction, asyncTransaction }

  /// Appends 1 in a store, with one kind of action.
  private static func append(_ kind: Kind, in store: Store<Log>, _ counter: Counter? = nil) async {
    switch kind {
    case .mutation: await store.dispatch(Append(1))
    case .action: await store.dispatch(SlowAppend(1))
    case .closure: await store.dispatch(label: "closure") { $0.entries.append(1) }
    case .asyncClosure: await store.dispatch(label: "closure") { log async in log.entries.append(1) }
    case .transaction:
      _ = try? await store.transaction { transaction in
        if counter?.isFailing == true { throw Boom() }
        try transaction.run(Append(1))
      }
    case .asyncTransaction:
      _ = try? await store.transaction { transaction in
        if counter?.isFailing == true { throw Boom() }
        try await transaction.run(Append(1))
      }
    }
  }

  /// A switch that makes a transaction fail.
  private final class Counter: Sendable {
    private let failing = Flag()
    var isFailing: Bool { failing.isSet }
    func fail() { failing.set() }
  }

  /// The actions that guards and streams get when a store appends 1.
  private static func given(_ kind: Kind, _ counter: Counter? = nil) async -> [any Action<Log>] {
    let keeper = Keeper()
    let store = Store(Log(), guards: [keeper])
    let unguarded = Store(Log())
    let transitions = [store.transitions(), unguarded.transitions()]
    await append(kind, in: store, counter)
    await append(kind, in: unguarded, counter)
    store.close()
    unguarded.close()
    var all = keeper.actions.all.filter { !($0 is Append) || kind == .mutation }
    for stream in transitions { for await transition in stream { all += [transition.action].compactMap { $0 } } }
    #expect(all.count == 4)
    return all
  }

  @Test(arguments: Kind.allCases) private func runsAgainAfterTheReleaseOfItsStore(_ kind: Kind) async throws {
    for action in await Self.given(kind) {
      let keeper = Keeper()
      let store = Store(Log(), guards: [keeper])
      #expect(try await store.dispatch(action).isCommitted)
      #expect(try await store.dispatch(action).isCommitted)
      #expect(await store.state.entries == [1, 1])
      let each =
        kind == .transaction || kind == .asyncTransaction
        ? ["asked about Append(entry: 1)", "committed Append(entry: 1)", "committed transaction"]
        : ["asked about \(action)", "committed \(action)"]
      #expect(keeper.heard.all == each + each)
    }
  }

  @Test(arguments: Kind.allCases) private func guardsOfAnotherStoreRefuseIt(_ kind: Kind) async throws {
    for action in await Self.given(kind) {
      let store = Store(Log(), guards: [Keeper(refuses: true)])
      guard case .vetoed = try await store.dispatch(action) else { return #expect(Bool(false), "\(kind) ran") }
      let outcome = try await store.transaction { transaction in try await transaction.run(action) }
      guard case .vetoed = outcome else { return #expect(Bool(false), "\(kind) ran as a member") }
      #expect(await store.state.entries == [])
    }
  }

  @Test(arguments: Kind.allCases) private func middlewareOfAnotherStoreWrapsIt(_ kind: Kind) async throws {
    for action in await Self.given(kind) {
      let seen = Witness<String>()
      let store = Store(Log(), middleware: [Tracer(name: "t", seen: seen)])
      _ = try await store.dispatch(action)
      _ = try await store.transaction { transaction in try await transaction.run(action) }
      #expect(seen.all == ["t before []", "t after [1]", "t before [1]", "t after [1, 1]"])
    }
  }

  @Test(arguments: [Kind.transaction, .asyncTransaction]) private func runsAgainAfterAFailure(_ kind: Kind) async {
    let counter = Counter()
    let actions = await Self.given(kind, counter)
    counter.fail()
    for action in actions {
      let keeper = Keeper()
      let store = Store(Log(), guards: [keeper])
      await #expect(throws: Boom()) { try await store.dispatch(action) }
      await #expect(throws: Boom()) { try await store.dispatch(action) }
      #expect(keeper.heard.all == ["failed transaction", "failed transaction"])
    }
  }

  @Test(arguments: Kind.allCases) private func transitionsHaveItsMembersOnce(_ kind: Kind) async throws {
    guard let action = await Self.given(kind).last else { return }
    for guards in [[], [Keeper()]] {
      let store = Store(Log(), guards: guards)
      let transitions = store.transitions()
      for _ in 1...2 { _ = try await store.dispatch(action) }
      store.close()
      let isTransaction = kind == .transaction || kind == .asyncTransaction
      let counts = await transitions.reduce(into: []) { $0.append($1.members.count) }
      #expect(counts == (isTransaction ? [0, 1, 1] : [0, 0, 0]))
    }
  }
}

/// A transaction that runs inside another one is a part of it.
@Suite struct TransactionInTransactionTests {
  /// Records the calls that it gets.
  private struct Listener: Guard {
    typealias State = Log
    let heard = Witness<String>()
    var refused: Int?

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      heard.saw("asked about \(action)")
      return (action as? Append)?.entry == refused && refused != nil ? Veto("no") : nil
    }

    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      heard.saw("\(report.member.map { "\($0) " } ?? "")\(report.outcome.kind) \(action)")
    }
  }

  /// The action of a transaction that runs two members and may fail between them.
  private static func inner(_ label: StaticString, suspends: Bool, fails: Bool = false) async -> any Action<Log> {
    let store = Store(Log())
    let transitions = store.transitions()
    let mustFail = Flag()
    if suspends {
      _ = try? await store.transaction(label: label) { transaction in
        try await transaction.run(Append(2))
        if mustFail.isSet { throw Boom() }
        try await transaction.run(Append(3))
      }
    } else {
      _ = try? await store.transaction(label: label) { transaction in
        try transaction.run(Append(2))
        if mustFail.isSet { throw Boom() }
        try transaction.run(Append(3))
      }
    }
    if fails { mustFail.set() }
    for await transition in transitions { if let action = transition.action { return action } }
    fatalError("no transition")
  }

  @Test(arguments: [false, true]) func itsMembersAreMembersOfTheOuterOne(suspends: Bool) async throws {
    let inner = await Self.inner("inner", suspends: suspends)
    let listener = Listener()
    let store = Store(Log(), guards: [listener])
    let transitions = store.transitions()
    try await store.transaction(label: "outer") { transaction in
      try await transaction.run(Append(1))
      try await transaction.run(inner)
    }
    #expect(await store.state.entries == [1, 2, 3])
    #expect(
      listener.heard.all == [
        "asked about Append(entry: 1)", "asked about Append(entry: 2)", "asked about Append(entry: 3)",
        "1 committed Append(entry: 1)", "2 committed Append(entry: 2)", "3 committed Append(entry: 3)",
        "committed outer",
      ])
    store.close()
    let members = await transitions.reduce(into: []) { $0 += $1.members.map { "\($0)" } }
    #expect(members == (1...3).map { "Append(entry: \($0))" })
  }

  @Test(arguments: [false, true]) func ifItFailsOnlyItsMembersAreUndone(suspends: Bool) async throws {
    let inner = await Self.inner("inner", suspends: suspends, fails: true)
    let listener = Listener()
    for store in [Store(Log(), guards: [listener]), Store(Log())] {
      let transitions = store.transitions()
      let outcome = try await store.transaction(label: "outer") { transaction in
        try await transaction.run(Append(1))
        await #expect(throws: Boom()) { try await transaction.run(inner) }
        try await transaction.run(Append(4))
      }
      #expect(outcome.isCommitted)
      #expect(await store.state.entries == [1, 4])
      store.close()
      let members = await transitions.reduce(into: []) { $0 += $1.members.map { "\($0)" } }
      #expect(members == ["Append(entry: 1)", "Append(entry: 4)"])
    }
    #expect(
      listener.heard.all.suffix(4) == [
        "1 committed Append(entry: 1)", "2 undone Append(entry: 2)", "3 committed Append(entry: 4)", "committed outer",
      ])
  }

  @Test(arguments: [false, true]) func aVetoOfItsMemberUndoesIt(suspends: Bool) async throws {
    let inner = await Self.inner("inner", suspends: suspends)
    let store = Store(Log(), guards: [Listener(refused: 3)])
    let outcome = try await store.transaction { transaction in
      try await transaction.run(Append(1))
      _ = try? await transaction.run(inner)
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.entries == [1])
    let whole = try await store.transaction { transaction in
      _ = try await transaction.run(inner)
      return 0
    }
    #expect(whole == .vetoed(Veto("no", by: Listener.self)))
  }

  @Test(arguments: [false, true]) func p7_itsDeferredActionsRunOnlyIfItSucceeds(fails: Bool) async throws {
    let store = Store(Log())
    let source = Store(Log())
    let transitions = source.transitions()
    let mustFail = Flag()
    _ = try? await source.transaction { transaction in
      try await transaction.run { _ async in await store.dispatch(Append(2)) }
      await store.dispatch(Append(3))
      if mustFail.isSet { throw Boom() }
    }
    if fails { mustFail.set() }
    await store.dispatch { $0.entries = [] }
    var inner: (any Action<Log>)?
    for await transition in transitions {
      inner = transition.action
      if inner != nil { break }
    }
    let action = try #require(inner)
    try await store.transaction { transaction in
      try await transaction.run { _ async in await store.dispatch(Append(1)) }
      _ = try? await transaction.run(action)
      try await transaction.run { _ async in await store.dispatch(Append(4)) }
    }
    await store.waitUntilIdle()
    #expect(await store.state.entries == (fails ? [1, 4] : [1, 2, 3, 4]))
  }
}
