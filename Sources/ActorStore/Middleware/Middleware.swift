/// Code that wraps the run of each action.
///
/// ```swift
/// struct Retry<State: Sendable>: Middleware {
///   let attempts: Int
///
///   func run<A: Action<State>>(
///     _ action: A, on state: inout State, next: inout Next<A>
///   ) async throws(Stop<A.Failure>) -> A.Output {
///     for _ in 1..<attempts {
///       do throws(Stop<A.Failure>) {
///         return try await next(action, &state)
///       } catch {
///         if case .vetoed = error { throw error }
///         if Task.isCancelled { throw error }
///       }
///     }
///     return try await next(action, &state)
///   }
/// }
///
/// let store = Store(Shop(), middleware: [Retry(attempts: 3)])
/// ```
///
/// The store calls the middleware in the action's turn, after the guards have admitted the action. The first middleware
/// in the list is the outermost. Before `next`, `state` is the state from which the action starts. After `next`, it is
/// the state that the action leaves behind, and it is committed when the outermost middleware returns. A middleware can
/// do all of the following:
///
/// - Run code before and after the action, and bind task-locals around it.
/// - Pass another action of the same type to `next`, or return a result without calling `next`.
/// - Refuse the action: throw ``Stop/vetoed(_:)`` before calling `next`.
/// - Replace the error, or recover from it: catch the error of `next`, and throw another one or return a result.
/// - Retry: call `next` again after it has thrown. The draft is then the same as before the attempt, and deferred
///   actions that the failed attempt dispatched never run (P7 in <doc:Promises>).
///
/// The middleware runs in the task of the action and off the caller's actor. All later actions wait while it suspends.
/// Cancellation of the task passes through to it. A middleware that retries or waits must check `Task.isCancelled`.
///
/// Each member of a ``Store/Transaction`` is wrapped, but the transaction is not. An ``ActionGroup`` is not wrapped,
/// but its actions are. An action with the policy ``DispatchPolicy/overlapping`` is wrapped where it runs, without a
/// turn. Guards, reports, and streams of transitions see the dispatched action once, no matter which action the
/// middleware runs in its place. So guards do not judge that other action, or the state of a later attempt.
///
/// In a store with a middleware that is not a ``SynchronousMiddleware``, each mutation runs like an asynchronous
/// action, on a draft, and a transaction must have a body that may suspend. If all middleware of the store is
/// synchronous, mutations still run without suspending.
///
/// An action that the asynchronous method dispatches to its own store is deferred, and runs only if the wrapped action
/// is committed. An action that it sends always runs. A middleware that keeps a copy of the state during `next` makes
/// mutations copy the parts that they change. A middleware must refer to its own store weakly. Otherwise, the two keep
/// each other alive.
public protocol Middleware<State>: Sendable {
  /// The state of the stores.
  ///
  /// The compiler cannot infer it. Make it a generic parameter of the middleware, or declare it with `typealias`.
  associatedtype State: Sendable = _TypealiasStateIsMissing

  /// Whether the middleware itself changes the state, by default `false`.
  ///
  /// A store reads this property once, when the store is created. If it is `true`, each mutation works on a draft, so
  /// that a veto or a failure leaves nothing behind. Otherwise, a mutation that cannot fail edits the state in place. A
  /// middleware that changes the state anyway would then change the committed state, even if it vetoes the action.
  var changesState: Bool { get }

  /// Runs an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The draft, or the state itself if the action is a mutation that edits the state in place.
  ///   - next: The rest of the run: the inner middleware and the action.
  /// - Returns: The result of the action, or another one in its place.
  /// - Throws: ``Stop/failed(_:)`` with the error that the caller gets, or ``Stop/vetoed(_:)``. A veto means that the
  ///   action did not run. So the program stops with a message if the middleware has called `next` and throws a veto
  ///   that does not come from `next`.
  func run<A: Action<State>>(
    _ action: A,
    on state: inout State,
    next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output
}

extension Middleware {
  /// Changes nothing itself.
  public var changesState: Bool { false }
}

/// A middleware that can also wrap a mutation without suspending.
///
/// ```swift
/// struct Spans: SynchronousMiddleware {
///   typealias State = Shop
///
///   func run<A: Action<Shop>>(
///     _ action: A, on state: inout Shop, next: inout Next<A>
///   ) async throws(Stop<A.Failure>) -> A.Output {
///     let span = Span.begin("\(A.self)")
///     defer { span.end() }
///     return try await next(action, &state)
///   }
///
///   func run<A: Action<Shop>>(
///     _ action: A, on state: inout Shop, next: inout SynchronousNext<A>
///   ) throws(Stop<A.Failure>) -> A.Output {
///     let span = Span.begin("\(A.self)")
///     defer { span.end() }
///     return try next(action, &state)
///   }
/// }
/// ```
///
/// Swift cannot derive one of the two methods from the other, so implement both. The store calls the asynchronous one
/// for actions that may suspend, and the synchronous one for mutations. If all middleware of a store is synchronous,
/// its mutations still edit the state in place and run inside `send`.
public protocol SynchronousMiddleware<State>: Middleware {
  /// The state of the stores.
  associatedtype State

  /// Runs a mutation without suspending.
  ///
  /// Parameters, result, and errors are those of the asynchronous method.
  func run<A: Action<State>>(
    _ action: A,
    on state: inout State,
    next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output
}
