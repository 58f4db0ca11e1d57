/// An async procedure that dispatches any number of actions to a store.
///
/// Use it for long waits, such as network requests. A group takes no ticket and holds no turn, so other actions run
/// between its own.
///
/// ```swift
/// struct Refresh: ActionGroup {
///   let server: Server
///
///   func run(with store: Store<Library>) async throws(Unreachable) -> Int {
///     await store.dispatch { $0.isLoading = true }
///     let books = try await server.books()           // holds up no other action
///     await store.dispatch { $0.books = books; $0.isLoading = false }
///     return books.count
///   }
/// }
///
/// let count = try await store.dispatch(Refresh(server: server))
/// ```
///
/// A group is not atomic. Other code sees the state between its actions, and if it throws, the actions that it has
/// already dispatched remain committed. For an atomic change, use one ``Action`` or a transaction.
public protocol ActionGroup<State>: Sendable {
  /// The state of the store.
  associatedtype State: Sendable
  /// The result of the group, by default `Void`.
  associatedtype Output: Sendable = Void
  /// The error that the group can throw, by default `Never`.
  ///
  /// Dispatching a group that cannot fail needs no `try`.
  associatedtype Failure: Error = Never

  /// Dispatches actions to the store.
  ///
  /// Cancellation is cooperative. The group can check `Task.isCancelled`. After the cancellation, its dispatches return
  /// ``Outcome/cancelled``. To run an action regardless, send it.
  ///
  /// - Parameter store: The store to dispatch to.
  /// - Returns: The result of the group.
  func run(with store: Store<State>) async throws(Failure) -> Output
}

extension Store {
  /// Runs a group in the caller's task and returns its result.
  ///
  /// The group takes no ticket. It begins immediately, even in a canceled task or after ``close()``. Its dispatches
  /// then return ``Outcome/cancelled`` or ``Outcome/closed``. If the call is nested in the action that has this store's
  /// turn, they return ``Outcome/deferred``.
  ///
  /// - Parameter group: The group to run.
  /// - Returns: The group's result. If the group throws an error, the call throws the same error.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func dispatch<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> G.Output where G.State == State {
    if mayHoldVector(G.self) || mayHoldVector(G.Output.self) || mayHoldVector(G.Failure.self) {
      return try await runUnspecialized(group)
    }
    guard let guards else { return try await group.run(with: self) }
    return try await run(group, guards)
  }

  /// `dispatch` for types that may hold vectors.
  @_semantics("optimize.sil.specialize.generic.never")  // HP5
  @usableFromInline
  @inline(never)  // HP5
  nonisolated(nonsending) func runUnspecialized<G: ActionGroup>(
    _ group: G
  ) async throws(G.Failure) -> G.Output where G.State == State {
    guard let guards else { return try await group.run(with: self) }
    return try await run(group, guards)
  }

  @inlinable
  nonisolated(nonsending) func run<G: ActionGroup>(
    _ group: G,
    _ guards: any Guards<State>
  ) async throws(G.Failure) -> G.Output where G.State == State {
    let ended = guards.didBegin(group, isSent: false)
    do throws(G.Failure) {
      let output = try await group.run(with: self)
      ended?(nil)
      return output
    } catch {
      ended?(error)
      throw error
    }
  }

  /// Runs a group in a task of its own, and returns immediately.
  ///
  /// The group runs like a `Task {}`, with the caller's task-locals and priority, and is nested in nothing. The
  /// ticket's outcome is ``Outcome/committed(_:)`` with the group's result, regardless of the outcomes of its
  /// dispatches. Inside an action that the group waits for, the outcome is ``Outcome/deferred``. Canceling the ticket
  /// cancels the task, cooperatively. An error that no task awaits goes to the store's `onUnhandledFailure`.
  ///
  /// - Parameter group: The group to run.
  /// - Returns: The ticket, with which you can await the outcome or cancel the group.
  @discardableResult
  public nonisolated func send<G: ActionGroup>(_ group: G) -> Ticket<G.Output, G.Failure> where G.State == State {
    // While it runs, the group has the only turn of a private queue. So the wait graph contains both the wait of code
    // that awaits the ticket and the group's own waits for its dispatches.
    let queue = TurnQueue()
    queue.named("group \(G.self)")
    let ticket = queue.takeOnlyTurn(.type(G.self))
    let turn = TurnID(store: queue.id, ticket: ticket)
    let custody = custody(G.Failure.self, .type(G.self), hasTicket: true)
    let ended = guards?.didBegin(group, isSent: true)
    let task = inheritingTask {
      await CallChain.nest(onlyIn: turn) { () async -> Result<Outcome<G.Output>, G.Failure> in
        defer { queue.endWithoutCommit(ticket) }
        do throws(G.Failure) {
          let output = try await group.run(with: self)
          ended?(nil)
          return .success(.committed(output))
        } catch {
          ended?(error)
          custody?.failed(error)
          return .failure(error)
        }
      }
    }
    return Ticket(
      work: .pending(PendingTicket(.task(task), number: ticket, queue: queue, overlapping: .none, custody: custody)))
  }
}
