import ActorStore

/// A token that ends an observation when you cancel or release it.
public final class AtomObservation: Sendable {
  private let reference: GraphReference
  private let definition: AnyAtomDefinition
  private let number: Int

  init(_ graph: Graph, _ definition: AnyAtomDefinition, _ number: Int) {
    reference = graph.reference
    self.definition = definition
    self.number = number
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// After this call returns, no call of the closure begins on this thread. A call that another thread is making, or is
  /// about to make, can still run.
  public func cancel() { reference.withGraph { $0.unwatch(definition, number) } }
}
