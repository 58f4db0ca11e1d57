extension Store {
  /// Takes a place in the queue for an action, which runs in a task of its own; returns at once.
  ///
  /// Callable from any synchronous code. The order is that of the calls (P2), so this is how to fix an order between
  /// things that start as they like. The action runs as `Task {}` would run it, with the caller's task-locals and
  /// priority (P3), and is below nothing: it is not cancelled with the caller, not even when the caller is cancelled
  /// already, which makes it the call for clean-up. A ``Mutation`` sent to an idle store may be applied inside the call.
  ///
  /// An error that nobody awaits goes to the store's `onUnhandledFailure`.
  @inlinable
  @inline(__always)
  @discardableResult
  public nonisolated func send<A: Action>(
    _ action: A,
    policy: DispatchPolicy = .serial
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    submit(action, .type(A.self), policy)
  }

  /// Sends a synchronous closure, as ``send(_:policy:)`` does; in place when it cannot throw.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - policy: How it is run among the other actions.
  ///   - body: Changes the state.
  @inlinable
  @discardableResult
  public nonisolated func send<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    submit(ClosureMutation(label: label, body: body), .text(label), policy)
  }

  /// Sends an asynchronous closure, as ``send(_:policy:)`` does.
  ///
  /// - Parameters:
  ///   - label: What the closure is called in diagnostics and by guards.
  ///   - policy: How it is run among the other actions.
  ///   - body: Changes a draft of the state.
  @inlinable
  @discardableResult
  public nonisolated func send<Output: Sendable, Failure: Error>(
    label: StaticString = "closure",
    policy: DispatchPolicy = .serial,
    _ body: @escaping @Sendable (inout State) async throws(Failure) -> Output
  ) -> Ticket<Output, Failure> {
    submit(ClosureAction(label: label, body: body), .text(label), policy)
  }

  @inlinable
  @inline(__always)
  nonisolated func submit<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    // Inside the call a mutation would see the caller's cancellation, which what is sent does not share.
    let isHere = !A._execution.canSuspend && !isCurrentTaskCancelled() && Nesting.enter()
    defer { if isHere { Nesting.leave() } }
    let canSuspend = A._execution.canSuspend && !A.overlaps(under: policy)
    let entry = line.takeWithoutWaiting(
      label, canSuspend: canSuspend, startingIn: isHere ? .begun(by: A._execution) : .handed)
    if isHere, case .run(let ticket) = entry { return applyBelowNothing(action, ticket, label) }
    return start(action, label, policy, entry)
  }

  /// Applies a sent mutation inside the call of `send`.
  @inlinable
  @inline(__always)
  nonisolated func applyBelowNothing<A: Action>(
    _ action: A,
    _ ticket: TicketNumber,
    _ label: ActionLabel
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    do throws(A.Failure) {
      if CallChain.isEmptyHere { return Ticket(work: .ended(try applyGuarded(action, ticket))) }
      let outcome = try CallChain.cleared { () throws(A.Failure) in try applyGuarded(action, ticket) }
      return Ticket(work: .ended(outcome))
    } catch {
      return failed(error, ticket, label)
    }
  }

  @inlinable
  @inline(__always)
  nonisolated func applyGuarded<A: Action>(
    _ action: A,
    _ ticket: TicketNumber
  ) throws(A.Failure) -> Outcome<A.Output> where A.State == State {
    if let veto = veto(action, ticket) { return .vetoed(veto) }
    return .committed(try apply(action, ticket) { output, _ in output })
  }

  /// Keeps the error of a sent mutation for whoever awaits its ticket.
  @usableFromInline
  nonisolated func failed<Output, Failure: Error>(
    _ error: Failure,
    _ ticket: TicketNumber,
    _ label: ActionLabel
  ) -> Ticket<Output, Failure> {
    let watch = watch(Failure.self, label, hasTicket: true)
    watch?.failed(error)
    return Ticket(
      work: .pending(PendingTicket(.failed(error), number: ticket, line: line, overlapping: .none, watch: watch)))
  }

  /// Starts a sent action that has its place in the queue.
  @inlinable
  nonisolated func start<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    _ entry: TurnEntry
  ) -> Ticket<A.Output, A.Failure> where A.State == State {
    let place: Place
    let ticket: TicketNumber
    switch entry {
    case .closed: return Ticket(work: .ended(.closed))
    case .run(let granted): (ticket, place) = (granted, .granted(granted))
    case .wait(let queued, _), .deferred(let queued): (ticket, place) = (queued, .queued(queued, .sent))
    }
    let watch = watch(A.Failure.self, label, hasTicket: true)
    let turn = A.overlaps(under: policy) ? TurnID.ofNoStore() : .none
    let task = start(action, label, as: turn, at: place, watch: watch)
    return Ticket(
      work: .pending(PendingTicket(.task(task), number: ticket, line: line, overlapping: turn, watch: watch)))
  }

  /// Runs a deferred action as a sent one that gave no ticket.
  @usableFromInline
  nonisolated func runLater<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    _ policy: DispatchPolicy,
    _ ticket: TicketNumber
  ) where A.State == State {
    let watch = watch(A.Failure.self, label, hasTicket: false)
    let turn = A.overlaps(under: policy) ? TurnID.ofNoStore() : .none
    _ = start(action, label, as: turn, at: .queued(ticket, .sent), watch: watch)
  }

  /// Runs an action in a task of its own, nested in nothing.
  ///
  /// An action that overlaps is nested in `turn`, by which it is known while it runs without one; others have none.
  @inlinable
  nonisolated func start<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    at place: Place,
    watch: FailureWatch?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    if turn != .none { return startOverlapping(action, label, as: turn, at: place, watch: watch) }
    if Self.mayHoldVectors(A.self, Void.self) { return startUnspecialized(action, label, at: place, watch: watch) }
    // The task would inherit what the caller is below.
    if !CallChain.isEmptyHere { return CallChain.cleared { startAsIs(action, label, at: place, watch: watch) } }
    return startAsIs(action, label, at: place, watch: watch)
  }

  /// `startAsIs` for types that may hold vectors, as `submitUnspecialized` is.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  nonisolated func startUnspecialized<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    at place: Place,
    watch: FailureWatch?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    CallChain.cleared { startAsIs(action, label, at: place, watch: watch) }
  }

  @inlinable
  nonisolated func startAsIs<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    at place: Place,
    watch: FailureWatch?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    let operation: @Sendable @concurrent () async -> Result<Outcome<A.Output>, A.Failure> = {
      do throws(A.Failure) {
        return .success(try await self.perform(action, label, at: place) { output, _ in output })
      } catch {
        watch?.failed(error)
        return .failure(error)
      }
    }
    if case .queued(let ticket, _) = place { return line.start(waitingFor: ticket, operation) }
    return inheritingTask(operation)
  }

  @usableFromInline
  nonisolated func startOverlapping<A: Action>(
    _ action: A,
    _ label: ActionLabel,
    as turn: TurnID,
    at place: Place,
    watch: FailureWatch?
  ) -> Task<Result<Outcome<A.Output>, A.Failure>, Never> where A.State == State {
    inheritingTask {
      let result = await CallChain.only(below: turn) {
        await self.overlap(action, label, at: place, as: turn) { output, _ in output }
      }
      if case .failure(let error) = result { watch?.failed(error) }
      return result
    }
  }

  /// Nil for an action that cannot fail.
  @inlinable
  nonisolated func watch<Failure: Error>(_: Failure.Type, _ label: ActionLabel, hasTicket: Bool) -> FailureWatch? {
    if Failure.self == Never.self { return nil }
    return watchFailures(label, hasTicket: hasTicket)
  }

  @usableFromInline
  nonisolated func watchFailures(_ label: ActionLabel, hasTicket: Bool) -> FailureWatch {
    let handler = onUnhandledFailure
    let name = name
    return FailureWatch(hasTicket: hasTicket) { error in
      handler(UnhandledFailure(store: name, action: label.description, error: error))
    }
  }
}
