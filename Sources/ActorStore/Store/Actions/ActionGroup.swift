/// An async procedure that dispatches what it likes to a store.
///
/// This is where long waits belong, for a network above all: a group takes no ticket and holds no turn, so everybody
/// else's actions go on in between its own.
///
/// ```swift
/// struct Refresh: ActionGroup {
///   let server: Server
///
///   func run(with store: Store<Library>) async throws(Unreachable) -> Int {
///     await store.dispatch { $0.isLoading = true }
///     let books = try await server.books()           // for as long as it takes
///     await store.dispatch { $0.books = books; $0.isLoading = false }
///     return books.count
///   }
/// }
///
/// let count = try await store.dispatch(Refresh(server: server))
/// ```
///
/// A group is not atomic: others see the state between its actions, and what it has dispatched before it throws stays.
/// What must come all at once is one ``Action``.
public protocol ActionGroup<State>: Sendable {
  /// The state of the store it works with.
  associatedtype State: Sendable
  /// What it returns to the caller; `Void` when not written.
  associatedtype Output: Sendable = Void
  /// What it can throw; `Never` when not written, and then dispatching it needs no `try`.
  associatedtype Failure: Error = Never

  /// Dispatches to the store.
  ///
  /// It is cancelled cooperatively: it sees `Task.isCancelled`, and its dispatches return `.cancelled` from then on
  /// (P9); what must be done all the same is sent.
  func run(with store: Store<State>) async throws(Failure) -> Output
}

extension Store {
  /// Runs a group, in the caller's task, and returns what it returns.
  ///
  /// The group takes no ticket: it begins at once, even in a cancelled task and after ``close()``, where its dispatches
  /// get `.cancelled` and `.closed`. Below a running action of this store its dispatches are `.deferred` (P7).
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

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
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

  /// Runs a group in a task of its own; returns at once.
  ///
  /// As `Task {}` would, with the caller's task-locals and priority, and below nothing. The ticket's outcome is
  /// `.committed` with what the group returned: a group is over when it returns, whatever became of its dispatches.
  /// Awaited below an action that the group waits for, it is `.deferred` (P8). Cancelling the ticket cancels the task,
  /// cooperatively. An error that nobody awaits goes to the store's `onUnhandledFailure`.
  @discardableResult
  public nonisolated func send<G: ActionGroup>(_ group: G) -> Ticket<G.Output, G.Failure> where G.State == State {
    // A line of its own, whose one turn the group has for as long as it runs: so that whoever awaits the ticket is seen
    // to wait for the group, and the group for what it dispatches.
    let line = TurnLine()
    line.named("group \(G.self)")
    let ticket = line.takeOnlyTurn(.type(G.self))
    let turn = TurnID(store: line.id, ticket: ticket)
    let watch = watch(G.Failure.self, .type(G.self), hasTicket: true)
    let ended = guards?.didBegin(group, isSent: true)
    let task = inheritingTask {
      await CallChain.only(below: turn) { () async -> Result<Outcome<G.Output>, G.Failure> in
        defer { line.release(ticket) }
        do throws(G.Failure) {
          let output = try await group.run(with: self)
          ended?(nil)
          return .success(.committed(output))
        } catch {
          ended?(error)
          watch?.failed(error)
          return .failure(error)
        }
      }
    }
    return Ticket(
      work: .pending(PendingTicket(.task(task), number: ticket, line: line, overlapping: .none, watch: watch)))
  }
}
