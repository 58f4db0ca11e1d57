extension Store {
  /// Runs a group in the caller's task and returns its outcome.
  ///
  /// The group takes no ticket and begins immediately. ``closeAndDrain()`` waits for it. If the call is nested in the
  /// action that has this store's turn, the dispatches of the group return ``Outcome/deferred``.
  ///
  /// - Parameter group: The group to run.
  /// - Returns: ``Outcome/committed(_:)`` with the group's result, regardless of the outcomes of its dispatches. If the
  ///   task was already canceled, the outcome is ``Outcome/cancelled``. If the store was closed, it is
  ///   ``Outcome/closed``, unless the call is nested in a running group of the store. After these two outcomes, the
  ///   group never runs. If the group throws an error, the call throws the same error.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> Outcome<G.Output> where G.State == State {
    if isCurrentTaskCancelled() { return ended(group, as: .cancelled) }
    guard let entry = queue.beginGroup(.type(G.self)) else { return ended(group, as: .closed) }
    if mayHoldVector(G.self) || mayHoldVector(G.Output.self) || mayHoldVector(G.Failure.self) {
      return try await runUnspecialized(group, entry)
    }
    return try await run(group, entry)
  }

  /// Runs a group that has begun, with its ID in the call chain.
  @inlinable
  nonisolated(nonsending) func run<G: ActionGroup>(
    _ group: G,
    _ entry: TurnQueue.GroupEntry
  ) async throws(G.Failure) -> Outcome<G.Output> where G.State == State {
    let call = guards == nil ? nil : begin(group, isSent: false)
    // Declared before the call of `nest` (HP6).
    var output: G.Output?
    var failure: G.Failure?
    if !entry.isNested {
      await CallChain.nest(in: entry.turn) {
        do throws(G.Failure) {
          output = try await group.run(with: self)
        } catch {
          failure = error
        }
      }
    } else {
      do throws(G.Failure) {
        output = try await group.run(with: self)
      } catch {
        failure = error
      }
    }
    // The report comes first, so that `closeAndDrain` waits for it.
    if let call { ended(group, call, failure) }
    queue.endGroup(entry)
    if let failure { throw failure }
    return .committed(output!)
  }

  /// Runs a group in a task of its own, and returns immediately.
  ///
  /// The group runs like a `Task {}`, with the caller's task-locals and priority, and is nested in nothing.
  /// ``closeAndDrain()`` waits for it. The ticket's outcome is ``Outcome/committed(_:)`` with the group's result,
  /// regardless of the outcomes of its dispatches. It is ``Outcome/cancelled`` if the ticket was canceled before the
  /// group began. It is ``Outcome/closed`` if the store was closed, unless the call is nested in a running group of the
  /// store. After these two outcomes, the group never runs. Inside an action that the group waits for, the outcome is
  /// ``Outcome/deferred``.
  ///
  /// Canceling the ticket of a running group cancels its task, cooperatively. If the group throws or does not begin,
  /// and no task awaits it, the store's `onUnhandledFailure` gets the reason.
  ///
  /// - Parameter group: The group to run.
  /// - Returns: The ticket, with which you can await the outcome or cancel the group.
  @discardableResult
  public nonisolated func send<G: ActionGroup>(_ group: G) -> Ticket<G.Output, G.Failure> where G.State == State {
    // While it runs, the group has the only turn of a private queue. So the wait graph contains both waits: the one for
    // the ticket, and the group's own waits for its dispatches.
    let waits = TurnQueue(id: .next().ofGroups)
    waits.named("group \(G.self)")
    let ticket = waits.takeOnlyTurn(.type(G.self))
    let turn = TurnID(store: waits.id, ticket: ticket)
    let custody = makeCustody(.type(G.self), hasTicket: true)
    guard let entry = queue.beginGroup(.type(G.self), as: turn) else {
      waits.endWithoutCommit(ticket)
      return endedTicket(.success(ended(group, isSent: true, as: .closed)), ticket, custody)
    }
    let task = inheritingTask {
      await CallChain.nest(onlyIn: turn) { () async -> Result<Outcome<G.Output>, G.Failure> in
        defer { waits.endWithoutCommit(ticket) }
        if isCurrentTaskCancelled() {
          custody.failed(NotCommitted.cancelled)
          defer { self.queue.endGroup(entry) }
          return .success(self.ended(group, isSent: true, as: .cancelled))
        }
        if self.queue.isSimulated { await self.queue.pauseInCall(isAfterCheck: true) }
        let call = self.guards == nil ? nil : self.begin(group, isSent: true)
        var output: G.Output?
        var failure: G.Failure?
        do throws(G.Failure) {
          output = try await group.run(with: self)
        } catch {
          failure = error
        }
        if let call { self.ended(group, call, failure) }
        self.queue.endGroup(entry)
        guard let failure else { return .success(.committed(output!)) }
        custody.failed(failure)
        return .failure(failure)
      }
    }
    queue.setCancel(entry) { task.cancel() }
    return Ticket(
      work: .pending(PendingTicket(.task(task), number: ticket, queue: waits, overlapping: .none, custody: custody)))
  }
}
