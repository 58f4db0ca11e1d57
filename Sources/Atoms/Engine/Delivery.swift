import ActorStore

/// The next step of the delivering thread, for which `Delivery` holds the data.
enum DeliveryStep: Sendable {
  /// Does nothing, because a round is empty.
  case nothing
  /// Delivers a value of a source, unless all watchers are gone.
  case change
  /// Delivers the value of a derived atom, if it has changed.
  case check
  /// Delivers elements of a sequence, and then the value if no elements remain.
  case elements
  /// Starts a watcher of a derived atom.
  case join(watcher: Int)
  /// Delivers log entries and signals, and reports an endless series of rounds.
  case rare
  /// Ends the evaluation.
  case endEvaluation
  /// Ends the delivery, because nothing remains to be done by this thread.
  case end
  /// Ends the delivery, and leaves the rest to a task.
  case leave
}

/// The data for the next step of a graph's delivering thread.
///
/// An enum that carried this data would be copied piece by piece, with many reference-count changes.
final class Delivery: @unchecked Sendable {
  // Invariant: only the delivering thread uses the properties. The next delivering thread takes over under the graph's
  // lock. Each step moves its counted references out of this object, so that they are released without that lock.

  @safe @exclusivity(unchecked) var change: GraphStateMachine<AnyPublished>.Deliveries.Change?
  @safe @exclusivity(unchecked) var watch: Watch?
  @safe @exclusivity(unchecked) var rare: Rare?
  /// The cell of a derived atom, which the graph holds while the revision of the round is pinned.
  @safe @exclusivity(unchecked) var cell: Unretained<Cell>?
  /// An owned reference to the evaluation that reads the values of the round, or `nil` if no round runs.
  @safe @exclusivity(unchecked) var evaluation: Unretained<Evaluation>?

  struct Rare: Sendable {
    var log: ChangeLog.Taken?
    var signals: [AsyncStream<Void>.Continuation] = []
    var endless: AtomProblem?

    var isEmpty: Bool { log?.isEmpty ?? true && signals.isEmpty && endless == nil }
  }

  func takeChange() -> (change: GraphStateMachine<AnyPublished>.Deliveries.Change, watch: Watch?)? {
    guard let change = change.take() else { return nil }
    return (change, watch.take())
  }

  func takeCheck() -> (watch: Watch, cell: Unretained<Cell>, evaluation: Unretained<Evaluation>)? {
    guard let watch = watch.take(), let cell, let evaluation else { return nil }
    return (watch, cell, evaluation)
  }

  func takeRare() -> Rare? { rare.take() }

  func takeEvaluation() -> Unretained<Evaluation>? { evaluation.take() }
}
