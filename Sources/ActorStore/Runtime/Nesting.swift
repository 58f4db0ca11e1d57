import CurrentTask

/// Bounds how deeply the library's own calls nest on the stack of one thread.
///
/// Most executors only enqueue a task that is resumed or started. But an executor may run the task inside the call. The
/// task that gets the turn then runs inside the call that hands it off, hands off the turn itself, and so on through
/// the whole queue. Similarly, a sent mutation runs inside the call to `send`, and its guards may send to the next
/// store. Without a bound, the stack would grow with the length of the queue or the chain of stores.
///
/// Each such call therefore enters here first. At the limit, calls no longer nest. Instead, a task is resumed later,
/// and a mutation gets its own task, which begins later. `leave` resumes the pending tasks one after another.
///
/// These invariants make it correct:
/// - `enter` and `leave` are called in pairs, on one thread, with no suspension in between. Every postponed resumption
///   runs before the thread leaves the outermost pair.
/// - No lock is held at any of these calls, so a resumed task may take any lock.
@usableFromInline enum Nesting {
  /// The maximum number of nested levels, each of which is an action with everything it calls.
  static var limit: UInt32 { 32 }

  private final class Pending {
    var resumptions: [() -> Void] = []
  }

  /// Whether calls must not nest.
  static var isAtLimit: Bool { unsafe nesting_of_this_thread().pointee.depth >= limit }

  /// Begins a nested call, or returns `false` if the call must not nest.
  @usableFromInline
  static func enter() -> Bool {
    let nesting = unsafe nesting_of_this_thread()
    if unsafe nesting.pointee.depth >= limit { return false }
    unsafe nesting.pointee.depth += 1
    return true
  }

  /// Ends a nested call, and resumes the pending tasks if this call is at the limit.
  @usableFromInline
  static func leave() {
    let nesting = unsafe nesting_of_this_thread()
    if unsafe nesting.pointee.pending != nil, unsafe nesting.pointee.depth == limit { resumePending() }
    unsafe nesting.pointee.depth -= 1
  }

  /// Postpones a resumption that must not nest.
  static func putOff(_ resumption: @escaping () -> Void) {
    let nesting = unsafe nesting_of_this_thread()
    if let pending = unsafe nesting.pointee.pending {
      unsafe Unmanaged<Pending>.fromOpaque(pending).takeUnretainedValue().resumptions.append(resumption)
    } else {
      let pending = Pending()
      pending.resumptions.append(resumption)
      unsafe nesting.pointee.pending = Unmanaged.passRetained(pending).toOpaque()
    }
  }

  /// Calls a closure as if beyond the limit, so that whatever the closure sends, resumes, or starts runs afterward.
  ///
  /// - Returns: `true`, or `false` without calling the closure if the current code already runs inside such a closure.
  static func withoutNesting(_ body: () -> Void) -> Bool {
    let nesting = unsafe nesting_of_this_thread()
    let depth = unsafe nesting.pointee.depth
    if depth > limit { return false }
    unsafe nesting.pointee.depth = limit + 1
    body()
    unsafe nesting.pointee.depth = limit
    // If the thread was already at the limit, `leave` resumes the tasks in the outer call.
    if unsafe nesting.pointee.pending != nil, depth < limit { resumePending() }
    unsafe nesting.pointee.depth = depth
    return true
  }

  /// A new gate, which opens when the thread at the limit leaves the current call.
  ///
  /// The thread is at the limit because its stack is deep, or because a guard must return before what it has sent runs.
  @usableFromInline
  static func gate() -> Gate {
    let gate = Gate()
    putOff { gate.opened.set(()) }
    return gate
  }

  /// A gate that one task passes only after the thread that created the gate has left its current call.
  @usableFromInline final class Gate: Sendable {
    fileprivate let opened = FirstValue<Void>()

    @usableFromInline
    func pass() async {
      await opened.get()
    }
  }

  /// Resumes the pending tasks while still at the limit, so that they postpone their own resumptions.
  @inline(never)  // HP2
  private static func resumePending() {
    let nesting = unsafe nesting_of_this_thread()
    while let pending = unsafe nesting.pointee.pending {
      unsafe nesting.pointee.pending = nil
      for resumption in unsafe Unmanaged<Pending>.fromOpaque(pending).takeRetainedValue().resumptions { resumption() }
    }
  }
}
