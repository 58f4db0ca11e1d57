import ActorStore

/// The next thing that a delivering thread does, with what `Delivery` contains.
enum DeliveryStep: Sendable {
  /// Delivers a value of a source, unless all watchers are gone.
  case change
  /// Delivers the value of a derived atom, if it has changed.
  case check
  /// Delivers elements of a sequence, and then the value.
  case elements
  /// Starts a watcher of a derived atom.
  case join(watcher: Int)
  /// Delivers log entries and signals, and reports an endless series of rounds.
  case rare
  /// Ends the evaluation.
  case endEvaluation
  case end
  /// Leaves the rest to a task.
  case leave
}

/// What the delivering thread of a graph needs for its next step.
///
/// Steps that carry all this would be copied piece by piece, with many changes of reference counts.
final class Delivery: @unchecked Sendable {
  // Invariant: only the delivering thread uses the properties. The next delivering thread takes over under the graph's
  // lock. A step takes the references that it gets, so that they are released without that lock.

  @safe @exclusivity(unchecked) var change: GraphStateMachine<AnyPublished>.Deliveries.Change?
  @safe @exclusivity(unchecked) var watch: Watch?
  @safe @exclusivity(unchecked) var rare: Rare?
  /// The cell to check, which the graph holds while it is pinned.
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
