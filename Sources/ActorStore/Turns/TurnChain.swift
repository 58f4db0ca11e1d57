/// The turns the current code runs below: what P7 and P8 need to know, carried by one task-local.
///
/// A chain is inherited as task-locals are, by child tasks and `Task {}`s, and outlives the turns in it. That is
/// harmless: a turn counts only while it is its store's current one.
@usableFromInline struct TurnChain: Sendable {
  // Written out, and not by the macro, so that inlined code reaches it without a call.
  @usableFromInline static let taskLocal = TaskLocal(wrappedValue: TurnChain())

  static var current: TurnChain { taskLocal.get() }

  // The two innermost turns stand inline, without a heap object: that is as deep as actions usually reach across
  // stores, and a dispatch that allocates nothing is a promise (P17).
  private var innermost: TurnID
  private var next: TurnID
  private var outer: Outer?

  private final class Outer: Sendable {
    let turns: [TurnID]

    init(_ turns: [TurnID]) {
      self.turns = turns
    }
  }

  /// Below nothing.
  init() {
    self.init(innermost: .none)
  }

  private init(innermost: TurnID, next: TurnID = .none, outer: Outer? = nil) {
    self.innermost = innermost
    self.next = next
    self.outer = outer
  }

  var isEmpty: Bool { innermost == .none }

  /// Whether the current code is below nothing.
  @usableFromInline static var isEmptyHere: Bool { current.isEmpty }

  /// All of them, the innermost first.
  var turns: [TurnID] {
    [innermost, next].filter { $0 != .none } + (outer?.turns ?? [])
  }

  func contains(_ turn: TurnID) -> Bool {
    innermost == turn || next == turn || outer?.turns.contains(turn) == true
  }

  /// The chain of an action that has this turn and was dispatched below `self`.
  ///
  /// An earlier turn of the same store has ended, or this one could not have begun: it is left out, so a chain holds
  /// at most one turn a store however long tasks start each other.
  func below(_ turn: TurnID) -> TurnChain {
    if isEmpty { return TurnChain(innermost: turn) }
    if innermost.store == turn.store { return TurnChain(innermost: turn, next: next, outer: outer) }
    if next == .none { return TurnChain(innermost: turn, next: innermost) }
    if next.store == turn.store { return TurnChain(innermost: turn, next: innermost, outer: outer) }
    let others = (outer?.turns ?? []).filter { $0.store != turn.store }
    return TurnChain(innermost: turn, next: innermost, outer: Outer([next] + others))
  }

  /// From here to `pop` the current task runs below this turn too.
  ///
  /// What `TaskLocal.withValue` does around a closure; but that leaves the caller's executor and comes back to it, which
  /// costs more than a turn. As in `withValue`, nothing that the compiler keeps in the task's memory may be made in
  /// between and outlive it, so what lies between is one statement that leaves its result where there was place before.
  @usableFromInline
  static func push(_ turn: TurnID) {
    pushTaskLocal(taskLocal, current.below(turn))
  }

  /// Ends what the last `push` began.
  @usableFromInline
  static func pop() {
    popTaskLocal()
  }

  /// Runs `body` below nothing, as what was sent is to run.
  @usableFromInline
  static func cleared<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if current.isEmpty { return try body() }
    return try taskLocal.withValue(TurnChain()) { Swift.Result(catching: body) }.get()
  }

  /// Runs `body` below nothing, as what was sent is to run.
  static func cleared<Result>(_ body: () async -> Result) async -> Result {
    if current.isEmpty { return await body() }
    return await taskLocal.withValue(TurnChain()) { await body() }
  }
}
