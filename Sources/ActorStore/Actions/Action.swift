/// A change of a state: an async function that a store runs alone, from its start to its commit.
///
/// ```swift
/// struct Import: Action {
///   let lines: [String]
///   func run(_ library: inout Library) async throws(Malformed) {
///     for line in lines {
///       library.books.append(try Book(line))   // a malformed line leaves the library as it was
///       await Task.yield()
///     }
///   }
/// }
/// ```
///
/// A store runs its actions one after the other in the order of the calls (P1, P2), in the task that dispatched them
/// (P3). `run` works on a draft: when it returns, the draft becomes the state; when it throws, nothing has happened
/// (P4), and nobody ever sees the draft (P6).
///
/// While `run` waits, every later action of the store waits too. Keep it short: what waits for a network belongs
/// before the dispatch. An action that needs no `await` is better written as a ``Mutation``.
public protocol Action<State>: Sendable {
  /// The state it changes.
  associatedtype State: Sendable
  /// What it returns to the caller; `Void` when not written.
  associatedtype Output: Sendable = Void
  /// What it can throw; `Never` when not written, and then dispatching it needs no `try`.
  associatedtype Failure: Error = Never

  /// Changes the state.
  ///
  /// Runs off the caller's actor unless it is itself declared on one. It is canceled cooperatively: it sees
  /// `Task.isCancelled`, and what it makes of it is its own affair; if it returns, it is committed (P9).
  func run(_ state: inout State) async throws(Failure) -> Output

  /// How a store runs it. Not to be implemented: a ``Mutation`` has its own, everything else has the default.
  static var _execution: _ActionExecution { get }
  /// Runs it without suspending. Not to be implemented, and called only where ``_execution`` says that it can be.
  func _runSynchronously(_ state: inout State) throws(Failure) -> Output
}

/// How a store runs an action: carried by the protocol, so that generic code and `any Action` take the same path as a
/// call that names the type (P16).
public enum _ActionExecution: Sendable {
  /// On a draft, with suspensions.
  case asynchronous
  /// On a draft, in one go, because it may throw half-way.
  case synchronous
  /// On the state itself, in one go.
  case inPlace
  /// As `asynchronous`; guards are asked by its members.
  case transaction

  @inlinable var canSuspend: Bool { self == .asynchronous || self == .transaction }
}

extension Action {
  /// Everything but a ``Mutation`` may suspend.
  @inlinable public static var _execution: _ActionExecution { .asynchronous }

  /// Never called for an action that may suspend.
  public func _runSynchronously(_ state: inout State) throws(Failure) -> Output {
    preconditionFailure(
      "ActorStore: \(Self.self) is asynchronous and was run as if it were not. This is a bug in ActorStore.")
  }
}

extension TurnPhase {
  /// The phase of a turn whose action runs in this way.
  @inlinable
  static func begun(by execution: _ActionExecution) -> TurnPhase {
    execution == .inPlace ? .applying : .running
  }
}
