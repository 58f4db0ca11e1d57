/// An async function that changes a store's state and runs alone, from its start to its commit.
///
/// ```swift
/// struct Import: Action {
///   let lines: [String]
///   func run(_ library: inout Library) async throws(Malformed) {
///     for line in lines {
///       library.books.append(try Book(line))   // a malformed line leaves the library unchanged
///       await Task.yield()
///     }
///   }
/// }
/// ```
///
/// By default, a store runs its actions one after another in call order. A dispatched action runs in the caller's task,
/// unless it is deferred. `run` changes a draft. When it returns, the draft becomes the state. When it throws, the
/// state remains unchanged. No other action sees the draft before its commit. See <doc:Promises>.
///
/// While `run` is suspended, every later action of the store waits too, so keep it short. Wait for the network before
/// the dispatch, or use an ``ActionGroup``. If an action needs no `await`, make it a ``Mutation``. To let other actions
/// run while it waits, choose ``DispatchPolicy/overlapping``.
public protocol Action<State>: Sendable {
  /// The state that the action changes.
  associatedtype State: Sendable
  /// The result of the action, by default `Void`.
  associatedtype Output: Sendable = Void
  /// The error that the action can throw, by default `Never`.
  ///
  /// Dispatching an action that cannot fail needs no `try`.
  associatedtype Failure: Error = Never

  /// Changes the state.
  ///
  /// It runs off the caller's actor, unless you isolate it to an actor. Cancellation is cooperative, so it can check
  /// `Task.isCancelled`. If it returns, the action is committed, even if the task was canceled. If it throws, the state
  /// remains unchanged.
  ///
  /// - Parameter state: A draft of the state.
  /// - Returns: The result of the action, which ``Outcome/committed(_:)`` carries to the caller.
  func run(_ state: inout State) async throws(Failure) -> Output

  /// The way a store runs the action.
  ///
  /// Do not implement it. A ``Mutation`` has an implementation of its own, and all other actions have the default.
  static var _execution: _ActionExecution { get }
  /// Runs the action without suspending.
  ///
  /// Do not implement it. The store calls it only if ``_execution`` allows that.
  func _runSynchronously(_ state: inout State) throws(Failure) -> Output
  /// Runs the action without suspending, and throws its error as a ``Stop``, for middleware.
  ///
  /// Do not implement it. It is a requirement, so that the code that calls it for an unknown type looks up no types.
  func _applyStopping(_ state: inout State) throws(Stop<Failure>) -> Output
  /// Runs the body of a transaction.
  ///
  /// Do not implement it. The store that runs the action creates the run, so the action itself does not refer to a
  /// store.
  func _runMembers(_ state: inout State, _ run: inout _TransactionRun) async throws(Failure) -> Output
  /// Runs the body of a transaction without suspending.
  ///
  /// Do not implement it. The store calls it only if ``_execution`` allows that.
  func _applyMembers(_ state: inout State, _ run: inout _TransactionRun) throws(Failure) -> Output
  /// The label of a closure or a transaction, or `nil` for an action whose type is its name.
  ///
  /// Do not implement it. It is a requirement, so that reading it takes no dynamic cast.
  var _label: StaticString? { get }
}

/// The way a store runs an action.
///
/// It is part of the protocol, so that generic code and `any Action` take the same path as a call that names the type.
public enum _ActionExecution: Sendable {
  /// The action runs on a draft and may suspend.
  case asynchronous
  /// The action runs on a draft, because it may throw, but never suspends.
  case synchronous
  /// The action runs on the state itself and never suspends.
  case inPlace
  /// A transaction that runs like an asynchronous action.
  case transaction
  /// A transaction that runs like a synchronous action.
  case synchronousTransaction

  @inlinable var canSuspend: Bool { self == .asynchronous || self == .transaction }
  /// Whether the action is a transaction.
  ///
  /// If so, the store asks the guards about its members instead, and a thrown veto becomes an outcome.
  @inlinable package var isTransaction: Bool { self == .transaction || self == .synchronousTransaction }
}

/// One run of a transaction, which belongs to the store that runs it.
///
/// A transaction that runs inside another one shares the run of the outer one.
@frozen public struct _TransactionRun: Sendable {
  /// The `MemberRecorder`, or `nil` if nothing needs the members.
  @usableFromInline let recorder: (any AnyObject & Sendable)?
  /// The number of members that have begun and may make calls, in a store without middleware.
  @usableFromInline var memberCount: UInt64

  @inlinable
  init(recorder: (any AnyObject & Sendable)?, memberCount: UInt64 = 0) {
    (self.recorder, self.memberCount) = (recorder, memberCount)
  }
}

extension Action {
  /// Every action except a ``Mutation`` may suspend.
  @inlinable public static var _execution: _ActionExecution { .asynchronous }

  /// An action has no label.
  @inlinable public var _label: StaticString? { nil }

  /// Traps.
  ///
  /// The store never calls it for an action that may suspend.
  public func _runSynchronously(_ state: inout State) throws(Failure) -> Output {
    preconditionFailure(
      "ActorStore: \(Self.self) is asynchronous, but the store ran it synchronously. This is a bug in ActorStore.")
  }

  /// Runs the action.
  ///
  /// The store never calls it for an action that is not a transaction.
  @inlinable
  public func _runMembers(_ state: inout State, _ run: inout _TransactionRun) async throws(Failure) -> Output {
    try await self.run(&state)
  }

  /// Runs the action.
  ///
  /// The store never calls it for an action that is not a transaction.
  @inlinable
  public func _applyMembers(_ state: inout State, _ run: inout _TransactionRun) throws(Failure) -> Output {
    try _runSynchronously(&state)
  }

  /// Calls ``_runSynchronously(_:)``.
  @inlinable
  public func _applyStopping(_ state: inout State) throws(Stop<Failure>) -> Output {
    do throws(Failure) {
      return try _runSynchronously(&state)
    } catch {
      throw .failed(error)
    }
  }
}

extension Action {
  /// Runs the action, and throws its error as a ``Stop``.
  @inlinable
  @inline(__always)  // HP1
  nonisolated(nonsending) func runStopping(_ state: inout State) async throws(Stop<Failure>) -> Output {
    do throws(Failure) {
      return try await run(&state)
    } catch {
      throw .failed(error)
    }
  }
}

extension TurnPhase {
  /// The phase of a turn whose action has begun to run in this way.
  @inlinable
  static func begun(by execution: _ActionExecution) -> TurnPhase {
    execution == .inPlace ? .applying : .running
  }
}
