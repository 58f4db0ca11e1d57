/// The rest of an action's run: the inner middleware and the action itself.
///
/// A ``Middleware`` gets it for one run and cannot keep it, so the action cannot run outside its turn.
public struct Next<A: Action>: ~Copyable, Sendable {
  private let rest: (any MiddlewareChain<A.State>)?
  private let context: MiddlewareContext
  var progress = NextProgress.notCalled

  init(_ rest: (any MiddlewareChain<A.State>)?, _ context: MiddlewareContext) {
    self.rest = rest
    self.context = context
  }

  /// Runs the rest.
  ///
  /// If it throws, `state` is what it was before the call, and deferred actions of this attempt never run. You can then
  /// call it again to retry. After it has returned, another call stops the program with a message, because the action
  /// would take effect twice.
  ///
  /// - Parameters:
  ///   - action: The action to run: that of the middleware, or another one of the same type.
  ///   - state: The state that the action changes.
  /// - Returns: The result of the rest.
  /// - Throws: The error of the action, or the veto of an inner middleware.
  public mutating func callAsFunction(
    _ action: A,
    _ state: inout A.State
  ) async throws(Stop<A.Failure>) -> A.Output {
    progress.begin(A.self)
    if rest == nil && A.Failure.self == Never.self { return try await run(action, &state) }
    // A saved state would end editing in place, so it is saved only if an attempt that throws may have changed it.
    let before = A.Failure.self == Never.self && !(rest?.changesState == true) ? nil : state
    let scope = context.nextScope()
    var output: A.Output?
    var stop: Stop<A.Failure>?
    await CallChain.nest(inScope: scope) {
      do throws(Stop<A.Failure>) {
        output = try await run(action, &state)
      } catch {
        stop = error
      }
    }
    guard let stop else { return output! }
    if let before { state = before }
    TurnQueue.giveUpCalls(in: scope, through: context.lastScope)
    progress.end(with: stop)
    throw stop
  }

  private func run(_ action: A, _ state: inout A.State) async throws(Stop<A.Failure>) -> A.Output {
    if rest != nil { return try await rest!.run(action, &state) }
    return try await action.runStopping(&state)
  }
}

/// The rest of a mutation's run: the inner middleware and the mutation itself.
///
/// A ``SynchronousMiddleware`` gets it for one run and cannot keep it.
@frozen public struct SynchronousNext<A: Action>: ~Copyable, Sendable {
  @usableFromInline let rest: (any MiddlewareChain<A.State>)?
  /// Whether an attempt that throws may have changed the state.
  @usableFromInline let savesState: Bool
  @usableFromInline var progress = NextProgress.notCalled

  init(_ rest: (any MiddlewareChain<A.State>)?, savesState: Bool) {
    self.rest = rest
    self.savesState = savesState
  }

  /// Runs the rest without suspending.
  ///
  /// Parameters, result, and errors are those of ``Next``.
  @inlinable
  @inline(__always)  // HP18
  public mutating func callAsFunction(
    _ action: A,
    _ state: inout A.State
  ) throws(Stop<A.Failure>) -> A.Output {
    if progress == .returned { progress.begin(A.self) }
    progress = .returned
    do throws(Stop<A.Failure>) {
      if savesState { return try runSaving(action, &state) }
      if rest == nil { return try action._applyStopping(&state) }
      return try rest!.apply(action, &state, savesState: false)
    } catch {
      progress.end(with: error)
      throw error
    }
  }

  /// Runs the rest, and restores the state if it throws.
  @usableFromInline
  @inline(never)  // HP2
  func runSaving(_ action: A, _ state: inout A.State) throws(Stop<A.Failure>) -> A.Output {
    let before = state
    do throws(Stop<A.Failure>) {
      if rest == nil { return try action._applyStopping(&state) }
      return try rest!.apply(action, &state, savesState: true)
    } catch {
      state = before
      throw error
    }
  }
}

/// The progress of the last call to `next`.
@frozen @usableFromInline enum NextProgress: UInt8, Sendable {
  case notCalled
  /// The call has returned or is still running.
  case returned
  case failed
  case vetoed

  /// Records a call of `next`.
  @usableFromInline
  mutating func begin<A>(_: A.Type) {
    if self == .returned {
      fatalError(
        "ActorStore: A middleware called `next` again after it had returned, so \(A.self) would take effect twice. Call `next` again only after it has thrown."
      )
    }
    self = .returned
  }

  /// Records that a call of `next` has thrown.
  @usableFromInline
  mutating func end<Failure>(with stop: Stop<Failure>) {
    switch stop {
    case .failed: self = .failed
    case .vetoed: self = .vetoed
    }
  }
}
