import CurrentTask

/// Gives up a place in a queue when the current task is cancelled, at once if it is already; from its making to `stop`.
///
/// The two halves of `withTaskCancellationHandler`, which leaves the caller's executor for its operation and comes back,
/// and whose frames and closures take much of what a task has at hand before it needs more memory to wait. What it needs
/// itself is memory of the task, which costs a fraction of what the heap does.
///
/// The invariants that make it right are those of the original: `stop` is called by the same task; what that task does
/// in between has ended by then, and has given back what memory of the task it took; and the line is that of a call which
/// waits there, so it lives until then.
@safe struct CancellationListener {
  private let cancellation: UnsafeMutablePointer<current_task_cancellation>

  init(_ ticket: TicketNumber, of line: TurnLine) {
    unsafe cancellation = current_task_add_cancellation(
      { line, number in
        let line = unsafe Unmanaged<TurnLine>.fromOpaque(line).takeUnretainedValue()
        line.giveUp(TicketNumber(number: number))
      }, Unmanaged.passUnretained(line).toOpaque(), ticket.number)
  }

  /// Once it returns, the place is no longer given up.
  func stop() {
    unsafe current_task_remove_cancellation(cancellation)
  }
}
