import Synchronization

/// The middleware of a store, as a list of objects (HP11).
@usableFromInline protocol MiddlewareChain<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  /// Whether all middleware in the list can run mutations without suspending.
  var isSynchronous: Bool { get }
  /// Whether any middleware in the list changes the state itself.
  var changesState: Bool { get }
  var context: MiddlewareContext { get }

  func run<A: Action<State>>(_ action: A, _ state: inout State) async throws(Stop<A.Failure>) -> A.Output

  /// Runs a mutation.
  ///
  /// - Parameter savesState: Whether an attempt that throws may have changed the state. If not, the state is not saved,
  ///   because a saved state would end editing in place.
  func apply<A: Action<State>>(
    _ action: A,
    _ state: inout State,
    savesState: Bool
  ) throws(Stop<A.Failure>) -> A.Output
}

/// The context that all calls to `next` in one store share.
@usableFromInline final class MiddlewareContext: Sendable {
  private let scopes = Atomic<UInt64>(0)

  /// The number of a new scope, which is larger than all earlier ones in the store.
  func nextScope() -> UInt64 { scopes.wrappingAdd(1, ordering: .relaxed).newValue }

  var lastScope: UInt64 { scopes.load(ordering: .relaxed) }
}

/// Returns the chain of a middleware and the rest of the list.
@usableFromInline
func link<State: Sendable>(
  _ first: any Middleware<State>,
  _ rest: (any MiddlewareChain<State>)?
) -> any MiddlewareChain<State> {
  MiddlewareKind.of(first).link(first, rest, rest?.context ?? MiddlewareContext())
}

/// How the middleware of one type becomes part of a store.
///
/// A cast to a protocol with a state takes longer than creating a store. So each type is cast only once.
private final class MiddlewareKind<State: Sendable>: Sendable {
  typealias Link =
    @Sendable (any Middleware<State>, (any MiddlewareChain<State>)?, MiddlewareContext) -> any MiddlewareChain<State>

  let link: Link

  static func of(_ middleware: any Middleware<State>) -> MiddlewareKind {
    middlewareKinds.value(of: type(of: middleware)) { MiddlewareKind(of: middleware) }
  }

  private init(of middleware: any Middleware<State>) {
    if let middleware = middleware as? any SynchronousMiddleware<State> {
      link = Self.synchronousLink(of: middleware)
    } else {
      link = Self.link(of: middleware)
    }
  }

  private static func synchronousLink<First: SynchronousMiddleware<State>>(of _: First) -> Link {
    { SynchronousLink(cast($0, to: First.self), $1, $2) }
  }

  private static func link<First: Middleware<State>>(of _: First) -> Link {
    { AsynchronousLink(cast($0, to: First.self), $1, $2) }
  }
}

private let middlewareKinds = TypeTable()

/// A synchronous middleware and the rest of the list.
private final class SynchronousLink<First: SynchronousMiddleware>: MiddlewareChain {
  typealias State = First.State

  private let first: First
  private let rest: (any MiddlewareChain<State>)?
  let context: MiddlewareContext
  let isSynchronous: Bool
  let changesState: Bool

  init(_ first: First, _ rest: (any MiddlewareChain<State>)?, _ context: MiddlewareContext) {
    self.first = first
    self.rest = rest
    self.context = context
    isSynchronous = rest?.isSynchronous != false
    changesState = first.changesState || rest?.changesState == true
  }

  func run<A: Action<State>>(_ action: A, _ state: inout State) async throws(Stop<A.Failure>) -> A.Output {
    var next = Next<A>(rest, context)
    do throws(Stop<A.Failure>) {
      return try await first.run(action, on: &state, next: &next)
    } catch {
      throw checked(error, next.progress, of: First.self, action)
    }
  }

  func apply<A: Action<State>>(
    _ action: A,
    _ state: inout State,
    savesState: Bool
  ) throws(Stop<A.Failure>) -> A.Output {
    var next = SynchronousNext<A>(rest, savesState: savesState)
    do throws(Stop<A.Failure>) {
      return try first.run(action, on: &state, next: &next)
    } catch {
      throw checked(error, next.progress, of: First.self, action)
    }
  }
}

/// A middleware that may suspend around every action, and the rest of the list.
private final class AsynchronousLink<First: Middleware>: MiddlewareChain {
  typealias State = First.State

  private let first: First
  private let rest: (any MiddlewareChain<State>)?
  let context: MiddlewareContext
  let changesState: Bool

  init(_ first: First, _ rest: (any MiddlewareChain<State>)?, _ context: MiddlewareContext) {
    self.first = first
    self.rest = rest
    self.context = context
    changesState = first.changesState || rest?.changesState == true
  }

  var isSynchronous: Bool { false }

  func run<A: Action<State>>(_ action: A, _ state: inout State) async throws(Stop<A.Failure>) -> A.Output {
    var next = Next<A>(rest, context)
    do throws(Stop<A.Failure>) {
      return try await first.run(action, on: &state, next: &next)
    } catch {
      throw checked(error, next.progress, of: First.self, action)
    }
  }

  func apply<A: Action<State>>(
    _ action: A,
    _ state: inout State,
    savesState: Bool
  ) throws(Stop<A.Failure>) -> A.Output {
    // The store avoids this for all actions except the members of a transaction.
    fatalError(
      "ActorStore: The transaction ran \(A.self) in code that does not suspend, but \(First.self) may suspend around it. Conform \(First.self) to SynchronousMiddleware, or run the member with `await`."
    )
  }
}

/// Checks the error that a middleware threw, and gives a new veto the type of the middleware.
@inline(never)  // HP2
private func checked<A: Action, M: Middleware>(
  _ stop: Stop<A.Failure>,
  _ progress: NextProgress,
  of type: M.Type,
  _ action: A
) -> Stop<A.Failure> {
  guard case .vetoed(let veto) = stop else { return stop }
  switch progress {
  case .notCalled, .vetoed: return .vetoed(veto.attributed(to: type))
  case .returned, .failed:
    fatalError(
      "ActorStore: \(M.self) vetoed \(A.self) after it had called `next`. A veto means that the action did not run. Throw the veto before calling `next`."
    )
  }
}
