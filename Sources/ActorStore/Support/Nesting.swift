import CurrentTask

/// Bounds how deep the library's own calls nest on the stack of one thread.
///
/// Most executors only queue a task that is resumed or started. But an executor may run it inside the call: then the task
/// that gets the turn runs inside the call that hands it over, hands it over itself, and so on through the whole queue.
/// A sent mutation runs inside the call of `send`, and its guards may send to the next store. The stack would grow with
/// the length of the queue, or of the chain of stores.
///
/// So each such call enters here first. At the limit nothing is nested any more: a task is resumed later, and a mutation
/// gets a task of its own. `leave` resumes what has piled up, one after the other.
///
/// The invariants that make it right:
/// - `enter` and `leave` come in pairs, on one thread, with no suspension in between. Whatever is put off is resumed
///   before the thread leaves the outermost pair.
/// - No lock is held at any of these calls, so what is resumed may take any.
@usableFromInline enum Nesting {
  /// The levels that are left to the stack: each is an action with all it calls.
  static var limit: UInt32 { 32 }

  private final class Pending {
    var resumptions: [() -> Void] = []
  }

  /// Begins a nested call; false if it must not be nested.
  @usableFromInline
  static func enter() -> Bool {
    let nesting = unsafe nesting_of_this_thread()
    if unsafe nesting.pointee.depth >= limit { return false }
    unsafe nesting.pointee.depth += 1
    return true
  }

  /// Ends a nested call, and resumes what was put off if this is the deepest one that may.
  @usableFromInline
  static func leave() {
    let nesting = unsafe nesting_of_this_thread()
    if unsafe nesting.pointee.pending != nil, unsafe nesting.pointee.depth == limit { resumePending() }
    unsafe nesting.pointee.depth -= 1
  }

  /// Puts off a resumption that must not be nested.
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

  /// Suspends the current task until it no longer runs inside the calls that started it.
  @usableFromInline
  static func leaveTheStack() async {
    await park { (task: Parked<Void>) in task.resume(returning: ()) }
  }

  /// At the limit, so whatever this resumes puts off what it resumes in turn.
  @inline(never)
  private static func resumePending() {
    let nesting = unsafe nesting_of_this_thread()
    while let pending = unsafe nesting.pointee.pending {
      unsafe nesting.pointee.pending = nil
      for resumption in unsafe Unmanaged<Pending>.fromOpaque(pending).takeRetainedValue().resumptions { resumption() }
    }
  }
}
