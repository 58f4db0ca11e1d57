/// A guard that hears how every call to a store ends.
///
/// ```swift
/// struct SlowActions: ReportGuard {
///   var reportClock: (any Clock<Duration>)? { ContinuousClock() }
///
///   func didEnd<A: Action<Shop>>(_ action: A, report: ActionReport<Shop>) {
///     if let ran = report.ran, ran > .milliseconds(5) { print("\(A.self) ran for \(ran)") }
///   }
/// }
///
/// let store = Store(Shop(), guards: [SlowActions()])
/// ```
///
/// A ``Guard`` is a report guard that also takes part in each action's turn. A guard that only needs reports conforms
/// to this protocol alone, which costs less than a `Guard`.
///
/// A store calls `didEnd` outside the turn, after it has handed the turn off. So a slow guard delays only the caller
/// whose call has ended, not the queue. If that caller is itself an action, its turn lasts longer. The report of a
/// deferred call also delays the deferred action, which may already have its turn.
///
/// The store calls `didEnd` in the task of the action, without a lock, before `dispatch` returns or the ticket has an
/// outcome. (For a ``Mutation`` or a synchronous transaction sent to an idle store, that is inside the call to `send`.)
/// Reports of several actions may arrive concurrently and in any order. ``ActionReport/revision`` orders the commits,
/// and ``ActionReport/ticket`` orders the calls to the store.
///
/// The methods are synchronous. They may send to any store. A sent action runs after all guards have returned, never
/// inside the method, so two stores whose guards send to each other neither deadlock nor recurse. A call that ends
/// inside the method, such as one to a closed store, is reported afterward. A guard that sends to its own store must
/// refer to it weakly.
public protocol ReportGuard<State>: Sendable {
  /// The state of the guarded stores.
  ///
  /// The compiler infers it from a method with a state or a report. Otherwise, declare it with `typealias`.
  associatedtype State: Sendable = _TypealiasStateIsMissing

  /// The clock for ``ActionReport/waited`` and ``ActionReport/ran``, by default `nil`.
  ///
  /// A store reads this property once, when the store is created, and uses the first clock that one of its guards
  /// names. If there is none, it reads no clock, and the reports contain no times.
  var reportClock: (any Clock<Duration>)? { get }

  /// Whether reports of commits contain ``ActionReport/old`` and ``ActionReport/new``, by default `false`.
  ///
  /// A store reads this property once, when the store is created. If it is `true`, each mutation copies the part of the
  /// state that it changes, and each commit allocates memory. The reports to all guards of the store then contain the
  /// states.
  var reportsStates: Bool { get }

  /// Tells the guard how a `dispatch`, a `send`, or a transaction ended.
  ///
  /// Each call to the store has exactly one report, unless it is deferred. A deferred call has two: the first with
  /// ``ReportedOutcome/deferred``, and the second with its final outcome. It is reported as deferred only once, even if
  /// it gives way again. The members of a ``Store/Transaction`` are reported in order, before the transaction.
  ///
  /// - Parameters:
  ///   - action: The action. The description of a closure or a transaction is its label.
  ///   - report: How it ended.
  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>)

  /// Tells the guard how the call of an ``ActionGroup`` ended.
  ///
  /// The actions that the group dispatches are reported one by one.
  ///
  /// - Parameters:
  ///   - group: The group.
  ///   - report: How it ended.
  func didEnd<G: Sendable>(group: G, report: GroupReport)
}

extension ReportGuard {
  /// Requests no times.
  public var reportClock: (any Clock<Duration>)? { nil }
  /// Requests no states.
  public var reportsStates: Bool { false }
  /// Does nothing.
  public func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {}
  /// Does nothing.
  public func didEnd<G: Sendable>(group: G, report: GroupReport) {}
}

/// A guard that each store replaces with its own guard, which knows the store.
protocol PerStoreGuard<State>: ReportGuard {
  associatedtype Own: ReportGuard<State>

  /// Returns the guard that takes the place of this one in a store, or `nil` if the store needs none.
  ///
  /// Called once for each store, when the store is created.
  func makeGuard(for store: GuardedStore) -> Own?
}

/// The facts about a store that a guard may read.
///
/// It does not keep the store alive.
struct GuardedStore: Sendable {
  let name: StoreName
  /// The queue for its turns.
  let queue: TurnQueue
}

/// The name of a store, whose text is created only when code reads it.
enum StoreName: Sendable {
  case text(String)
  /// The name of the store's type.
  case type(any Any.Type)

  var text: String {
    switch self {
    case .text(let text): text
    case .type(let type): "\(type)"
    }
  }
}
