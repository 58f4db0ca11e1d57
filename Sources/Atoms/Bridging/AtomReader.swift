import ActorStore

/// The hidden atom that reads a selection of a store, if it still exists.
///
/// The store holds the readers, and not the atoms, so that a commit does not have to find out which atoms exist.
final class AtomReader: SelectionReader, @unchecked Sendable {
  // Invariant: `definition` is set before any other thread can use the reader.
  private(set) weak var definition: AnyAtomDefinition?

  func join(_ definition: AnyAtomDefinition) { self.definition = definition }
}

extension SharedSelections: SelectionSource {
  func values(after step: UInt64?, for graph: GraphReference) -> Selections {
    Selections(values(after: step, for: graph as any SelectionFollower))
  }
}

extension GraphReference: SelectionFollower {
  func update(from source: SharedSelections, _ last: SelectionStep?) -> Bool {
    withGraph { $0.update(from: source, last: last.map(Selections.init)) } != nil
  }

  func forget(_ source: ObjectIdentifier) { withGraph { $0.forget(source: source) } }
}

extension Selections {
  init(_ step: SelectionStep) {
    let values = step.values.compactMap { reader, value in
      (reader as? AtomReader)?.definition.map { (definition: $0, value: value) }
    }
    self.init(origin: step, values: values)
  }
}
