/// Receives the events of all stores' turns, so that a simulation can report the wait of each task.
///
/// Stores call it without holding a lock, in the task that caused the event.
package final class TurnObserver: Sendable {
  /// One step of a store's turns.
  package enum Event: Sendable {
    case called(Call, action: String, Answer)
    /// The action has the turn and begins.
    case resumed
    case committed
    /// The action ended without a commit.
    case released
    /// The action continues without its turn.
    case started
    /// An action without a turn is about to commit or has failed.
    case ended
    /// The ticket was withdrawn from the queue.
    case withdrawn
    /// The call no longer waits. Another task runs its action with its ticket.
    case gaveWay
    /// A deferred call gave up its ticket, because its owner failed or has yet to commit.
    case gaveUp
    case closed
    /// The state was read.
    case read
    /// The ticket was canceled.
    case canceled
    /// A call got no ticket, because its task is canceled.
    case refused(action: String)
    /// A stream was created.
    case subscribed
    /// A stream delivered an element with this text, or its end.
    case received(String?)
  }

  package enum Call: Sendable {
    case dispatch, send
    /// A call for the commit of an action that runs without a turn.
    case comeBack
    /// A call of a deferred action whose owner has committed.
    case owned
  }

  /// The answer to a call.
  package enum Answer: Sendable {
    case hasTurn, waits, deferred, closed
  }

  private let onEvent: @Sendable (_ store: UInt64, _ ticket: UInt64, Event) -> Void
  private let onStore: @Sendable (_ store: UInt64, _ name: String) -> Void

  package init(
    onStore: @escaping @Sendable (_ store: UInt64, _ name: String) -> Void,
    onEvent: @escaping @Sendable (_ store: UInt64, _ ticket: UInt64, Event) -> Void
  ) {
    self.onStore = onStore
    self.onEvent = onEvent
  }

  /// Records that a store was created.
  func record(store: UInt64, name: String) {
    onStore(store, name)
  }

  func record(_ event: Event, store: UInt64, ticket: UInt64) {
    onEvent(store, ticket, event)
  }
}
