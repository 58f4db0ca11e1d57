/// The turns that the current code is nested in, carried by task-locals.
///
/// The library uses chains to detect calls that would wait for themselves (P7, P8). Child tasks and `Task {}` inherit a
/// chain, so it may outlive its turns. That is harmless, because a turn counts only while it is its store's current
/// one.
@usableFromInline struct CallChain: Sendable {
  /// The two innermost turns, because actions rarely nest across more than two stores.
  ///
  /// Each action pushes and pops this value. It is plain memory, so doing that allocates, retains, and releases nothing
  /// (P17).
  @usableFromInline struct Near: Sendable, BitwiseCopyable {
    var innermost = TurnID.none
    var next = TurnID.none
    /// Whether there are more turns, in another task-local.
    var hasFar = false
    /// The number of the running scope of the innermost action, or 0 (see `OwnedCalls`).
    var scope: UInt64 = 0
  }

  // Declared without the `@TaskLocal` macro, so that access takes one call.
  @usableFromInline static let nearHere = TaskLocal(wrappedValue: Near())
  private static let farHere = TaskLocal<[TurnID]>(wrappedValue: [])

  private var near: Near
  /// The other turns, from the innermost to the outermost.
  private var far: [TurnID]

  private static var nearOfTask: Near { boundValue(of: nearHere) ?? Near() }

  static var current: CallChain {
    let near = nearOfTask
    return CallChain(near: near, far: near.hasFar ? farHere.get() : [])
  }

  /// Creates an empty chain.
  init() {
    self.init(near: Near(), far: [])
  }

  private init(near: Near, far: [TurnID]) {
    self.near = near
    self.far = far
  }

  var isEmpty: Bool { near.innermost == .none }

  /// Whether the current code is not nested in any action.
  @usableFromInline static var isEmptyHere: Bool { nearOfTask.innermost == .none }

  /// All turns, from the innermost to the outermost.
  var turns: [TurnID] {
    [near.innermost, near.next].filter { $0 != .none } + far
  }

  /// The actions that may own a deferred call, from the innermost to the outermost, and their scopes that make the
  /// call.
  ///
  /// Groups own nothing, because they commit nothing.
  var actions: [(turn: TurnID, scope: UInt64)] {
    turns.filter { !$0.store.isOfGroups }.enumerated().map { ($0.element, $0.offset == 0 ? near.scope : 0) }
  }

  /// The innermost action.
  var innermostAction: (turn: TurnID, scope: UInt64)? { actions.first }

  func contains(_ turn: TurnID) -> Bool {
    near.innermost == turn || near.next == turn || far.contains(turn)
  }

  /// The chain of an action with this turn, dispatched by code with the chain `self`.
  ///
  /// The chain drops an earlier turn of the same store, because that turn has ended. Otherwise, this one could not have
  /// begun. So a chain has at most one turn for each store, even if tasks keep starting each other. (Similarly, it has
  /// at most one dispatched overlapping action for each store, the innermost.)
  func nested(in turn: TurnID) -> CallChain {
    if let near = near.nested(in: turn) { return CallChain(near: near, far: far) }
    let far = [near.next] + far.filter { $0.store != turn.store }
    let near = Near(innermost: turn, next: near.innermost, hasFar: true, scope: near.scopeInside(turn))
    return CallChain(near: near, far: far)
  }

  // MARK: In the current task

  /// Runs `body` nested in the turn with a ticket.
  @inlinable
  @inline(__always)  // HP6
  nonisolated(nonsending) static func nest(
    in ticket: TicketNumber,
    of queue: TurnQueue,
    _ body: () async -> Void
  ) async {
    await nest(in: queue.indexedTurn(ticket), body)
  }

  /// Runs `body` nested in a turn.
  @inlinable
  @inline(__always)  // HP6
  nonisolated(nonsending) static func nest(in turn: TurnID, _ body: () async -> Void) async {
    if RuntimeEntries.areUsed {
      let pushed = push(turn)
      await body()
      pop(pushed)
    } else if let near = near(in: turn) {
      await nearHere.withValue(near) { await body() }
    } else {
      await nestFar(in: turn, body)
    }
  }

  /// Nests the current task, and everything that it starts, in a turn, until `pop`.
  ///
  /// The two functions are the two halves of `TaskLocal.withValue`, which leaves the caller's executor and comes back
  /// (HP7). As in `withValue`, nothing that the compiler keeps in the task's memory may be created between them and
  /// outlive `pop`. So the code between them is one statement, and the memory for its result exists before `push`.
  @usableFromInline
  static func push(_ turn: TurnID) -> Pushed {
    if let near = near(in: turn) {
      pushTaskLocal(nearHere, near)
      return Pushed(hasFar: false)
    }
    return pushFar(turn)
  }

  /// The value of `nearHere` inside a turn, or `nil` if the value has no room for the turn.
  @usableFromInline
  static func near(in turn: TurnID) -> Near? { nearOfTask.nested(in: turn) }

  @inline(never)  // HP2
  private static func pushFar(_ turn: TurnID) -> Pushed {
    let chain = current.nested(in: turn)
    pushTaskLocal(farHere, chain.far)
    pushTaskLocal(nearHere, chain.near)
    return Pushed(hasFar: true)
  }

  /// Ends the nesting that the last `push` began.
  @usableFromInline
  static func pop(_ pushed: Pushed) {
    popTaskLocal()
    if pushed.hasFar { popTaskLocal() }
  }

  /// Tells `pop` whether to remove both task-locals or only `nearHere`.
  @usableFromInline struct Pushed {
    fileprivate let hasFar: Bool
  }

  @usableFromInline
  nonisolated(nonsending) static func nestFar(in turn: TurnID, _ body: () async -> Void) async {
    let chain = current.nested(in: turn)
    await farHere.withValue(chain.far) {
      await nearHere.withValue(chain.near) { await body() }
    }
  }

  /// Runs `body` nested in a scope of the innermost action.
  nonisolated(nonsending) static func nest(inScope scope: UInt64, _ body: () async -> Void) async {
    var near = nearOfTask
    near.scope = scope
    await nearHere.withValue(near) { await body() }
  }

  /// Runs `body` nested in one turn and nothing else.
  static func nest<Result>(onlyIn turn: TurnID, _ body: () async -> Result) async -> Result {
    await nearHere.withValue(Near(innermost: turn)) { await body() }
  }

  /// Runs `body` with an empty chain, like a sent action.
  ///
  /// A caller whose chain is likely to be empty checks `isEmptyHere` first, to avoid the closure.
  @usableFromInline
  static func cleared<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nearHere.withValue(Near()) { Swift.Result(catching: body) }.get()
  }

  /// Runs an asynchronous `body` with an empty chain.
  static func cleared<Result>(_ body: () async -> Result) async -> Result {
    await nearHere.withValue(Near()) { await body() }
  }
}

extension CallChain.Near {
  /// The same turns nested in one more, or `nil` if there is no room for it.
  fileprivate func nested(in turn: TurnID) -> Self? {
    let scope = scopeInside(turn)
    if innermost == .none { return Self(innermost: turn) }
    if innermost.store == turn.store { return Self(innermost: turn, next: next, hasFar: hasFar, scope: scope) }
    if next == .none { return Self(innermost: turn, next: innermost, scope: scope) }
    if next.store == turn.store { return Self(innermost: turn, next: innermost, hasFar: hasFar, scope: scope) }
    return nil
  }

  /// The scope of the innermost action inside one more turn.
  fileprivate func scopeInside(_ turn: TurnID) -> UInt64 {
    turn.store.isOfGroups ? scope : 0
  }
}

extension SimulationHooks {
  /// Whether an action runs in the current task, or has started it.
  package static var isInAction: Bool { !CallChain.isEmptyHere }
}
