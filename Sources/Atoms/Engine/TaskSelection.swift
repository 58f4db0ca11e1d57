/// The graph, the run, or both that a task has selected.
///
/// A run is a selection itself, so that a task-local is one reference.
class TaskSelection: @unchecked Sendable {
  // Invariant: subclasses state theirs.

  /// The owner of the graph.
  var handle: GraphHandle { preconditionFailure("Atoms: an abstract property was read. This is a bug in Atoms.") }
  /// The run that the task belongs to.
  var run: AnyRun? { nil }
}

/// The selection of a graph, which can be that of a run.
final class GraphSelection: TaskSelection, @unchecked Sendable {
  // Invariant: all properties are constants of sendable types.

  private let graph: GraphHandle
  private let ofRun: AnyRun?

  init(_ graph: GraphHandle, _ run: AnyRun?) {
    self.graph = graph
    ofRun = run
  }

  override var handle: GraphHandle { graph }
  override var run: AnyRun? { ofRun }
}
