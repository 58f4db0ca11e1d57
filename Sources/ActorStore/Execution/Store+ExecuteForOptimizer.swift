/// Parts of the story that are separate functions only for the optimizer.
extension Store {
  /// `executeSerial` in a simulation, in a store whose middleware may suspend around a mutation, or in a store whose
  /// actions prefer an executor.
  ///
  /// A simulation lets another task run before the call, before the action begins, and afterward. On several threads,
  /// another task could run at these points.
  @inlinable
  @inline(never)  // HP3
  nonisolated(nonsending) func executeDetour<A: Action, Reply: Sendable>(
    _ action: A,
    _ label: ActionLabel,
    reply: @Sendable (A.Output, State) -> Reply
  ) async -> Result<Outcome<Reply>, A.Failure> where A.State == State {
    await queue.pauseBeforeCall()
    let canSuspend = execution(of: A.self).canSuspend
    guard let entry = queue.take(label, canSuspend: canSuspend, startingIn: .granted) else {
      queue.noteRefusal(label)
      didNotBegin(action, .none, .cancelled)
      return .success(.cancelled)
    }
    let caller: (any Actor)? = #isolation
    let isBrief = entry.isRun && !canSuspend && caller == nil
    let result = await queue.preferringExecutor(unless: isBrief) { () async -> Result<Outcome<Reply>, A.Failure> in
      do throws(A.Failure) {
        return .success(try await proceed(with: entry, action, label, reply: reply))
      } catch {
        return .failure(error)
      }
    }
    await queue.pause()
    return result
  }

  /// Checks for cancellation and runs the action, outside the frame that a call keeps while it waits.
  @inlinable
  @inline(never)  // HP9
  nonisolated(nonsending) func runAfterWaiting<A: Action, Reply: Sendable>(
    _ action: A,
    _ ticket: TicketNumber,
    reply: @Sendable (A.Output, State) -> Reply
  ) async throws(A.Failure) -> Outcome<Reply> where A.State == State {
    if queue.isSimulated { await queue.pauseInCall() }
    let execution = execution(of: A.self)
    if !beginUnlessCancelled(ticket, execution) {
      didNotBegin(action, ticket, .cancelled)
      return .cancelled
    }
    if queue.isSimulated { await queue.pauseInCall(isAfterCheck: true) }
    if execution == A._execution { return try await run(action, ticket, reply: reply) }
    return try await runGuarded(action, ticket, reply: reply)
  }
}
