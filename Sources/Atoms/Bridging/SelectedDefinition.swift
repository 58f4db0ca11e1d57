import ActorStore

/// The definition of a hidden atom with a value that a store's commits select.
///
/// Each graph that has a node of it gets the value of each commit.
final class SelectedDefinition<Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  let use: SelectionUse

  /// - Parameters:
  ///   - use: The use of the selection by the reader.
  ///   - reader: A reader of this definition alone.
  init(_ use: SelectionUse, by reader: AtomReader) {
    self.use = use
    super.init("", 0, lifetime: .kept)
    // A graph makes the cell under its lock. The first search for a type takes a thread, so do it here.
    _ = Equality.of(Value.self)
    reader.join(self)
  }

  deinit {
    var values = use.end()
    ReleaseQueue.release(all: &values)
  }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
    label = visible.label
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }
  override var source: (any SelectionSource)? { use.selections }
  override var resetSteps: ResetSteps? { nil }

  override func makeCell() -> Cell {
    guard let newest = use.value else {
      preconditionFailure("Atoms: a selection has no value. This is a bug in Atoms.")
    }
    return makeCell(newest)
  }

  override func makeCell(_ value: AnyPublished) -> Cell { makeCell(with: value.value(as: Value.self)) }
}
