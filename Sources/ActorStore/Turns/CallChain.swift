/// The turns the current code runs below: what P7 and P8 need to know, carried by task-locals.
///
/// A chain is inherited as task-locals are, by child tasks and `Task {}`s, and outlives the turns in it. That is
/// harmless: a turn counts only while it is its store's current one.
@usableFromInline struct CallChain: Sendable {
  /// The two innermost turns: as deep as actions usually reach across stores.
  ///
  /// Pushed and popped by each action, so plain memory: nothing is allocated for it (P17), retained or released.
  fileprivate struct Near: Sendable, BitwiseCopyable {
    var innermost = TurnID.none
    var next = TurnID.none
    /// Whether there are more, which another task-local has.
    var hasFar = false
  }

  // Written out, and not by the macro, so that there is no more than a call to reach them.
  private static let nearHere = TaskLocal(wrappedValue: Near())
  private static let farHere = TaskLocal<[TurnID]>(wrappedValue: [])

  private var near: Near
  /// The others, the innermost first.
  private var far: [TurnID]

  private static var nearOfTask: Near { taskLocalValue(nearHere, default: Near()) }

  static var current: CallChain {
    let near = nearOfTask
    return CallChain(near: near, far: near.hasFar ? farHere.get() : [])
  }

  /// Below nothing.
  init() {
    self.init(near: Near(), far: [])
  }

  private init(near: Near, far: [TurnID]) {
    self.near = near
    self.far = far
  }

  var isEmpty: Bool { near.innermost == .none }

  /// Whether the current code is below nothing.
  @usableFromInline static var isEmptyHere: Bool { nearOfTask.innermost == .none }

  /// All of them, the innermost first.
  var turns: [TurnID] {
    [near.innermost, near.next].filter { $0 != .none } + far
  }

  func contains(_ turn: TurnID) -> Bool {
    near.innermost == turn || near.next == turn || far.contains(turn)
  }

  /// The chain of an action that has this turn and was dispatched below `self`.
  ///
  /// An earlier turn of the same store has ended, or this one could not have begun: it is left out, so a chain holds
  /// at most one turn a store however long tasks start each other.
  func below(_ turn: TurnID) -> CallChain {
    if let near = near.below(turn) { return CallChain(near: near, far: far) }
    let far = [near.next] + far.filter { $0.store != turn.store }
    return CallChain(near: Near(innermost: turn, next: near.innermost, hasFar: true), far: far)
  }

  // MARK: In the current task

  /// From here to `pop` the current task, and all that it starts, runs below this turn too; returns what `pop` has to
  /// know.
  ///
  /// What `TaskLocal.withValue` does around a closure; but that leaves the caller's executor and comes back to it, which
  /// costs more than a turn. As in `withValue`, nothing that the compiler keeps in the task's memory may be made in
  /// between and outlive it, so what lies between is one statement that leaves its result where there was place before.
  @usableFromInline
  static func push(_ turn: TurnID) -> Pushed {
    if let near = nearOfTask.below(turn) {
      pushTaskLocal(nearHere, near)
      return Pushed(hasFar: false)
    }
    let chain = current.below(turn)
    pushTaskLocal(farHere, chain.far)
    pushTaskLocal(nearHere, chain.near)
    return Pushed(hasFar: true)
  }

  /// Ends what the last `push` began.
  @usableFromInline
  static func pop(_ pushed: Pushed) {
    popTaskLocal()
    if pushed.hasFar { popTaskLocal() }
  }

  /// What `push` has pushed.
  @usableFromInline struct Pushed {
    fileprivate let hasFar: Bool
  }

  /// What `push` and `pop` do around `body`, with Swift's public API: slower, and right for any body.
  @usableFromInline
  nonisolated(nonsending) static func nest(in turn: TurnID, _ body: () async -> Void) async {
    if let near = nearOfTask.below(turn) { return await nearHere.withValue(near) { await body() } }
    let chain = current.below(turn)
    await farHere.withValue(chain.far) {
      await nearHere.withValue(chain.near) { await body() }
    }
  }

  /// Runs `body` below one turn, and below nothing else.
  static func only<Result>(below turn: TurnID, _ body: () async -> Result) async -> Result {
    await nearHere.withValue(Near(innermost: turn)) { await body() }
  }

  /// Runs `body` below nothing, as what was sent is to run: for a caller that is below something.
  ///
  /// Who may be below nothing already asks `isEmptyHere`, and saves the closure.
  @usableFromInline
  static func cleared<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nearHere.withValue(Near()) { Swift.Result(catching: body) }.get()
  }

  /// The same of what suspends.
  static func cleared<Result>(_ body: () async -> Result) async -> Result {
    await nearHere.withValue(Near()) { await body() }
  }
}

extension CallChain.Near {
  /// The same below one more turn; nil when that is one too many.
  fileprivate func below(_ turn: TurnID) -> Self? {
    if innermost == .none { return Self(innermost: turn) }
    if innermost.store == turn.store { return Self(innermost: turn, next: next, hasFar: hasFar) }
    if next == .none { return Self(innermost: turn, next: innermost) }
    if next.store == turn.store { return Self(innermost: turn, next: innermost, hasFar: hasFar) }
    return nil
  }
}
