import ActorStore

/// The definition of a hidden atom with a value that a store's commits select.
///
/// Each graph that has a node of it gets the value of each commit.
final class SelectedDefinition<State: Sendable, Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  let selector: Selector<State, Value>
  private let link: SelectionLink

  init(_ link: SelectionLink, _ selector: Selector<State, Value>) {
    self.link = link
    self.selector = selector
    super.init("", 0, lifetime: .kept)
    selector.join(self)
  }

  deinit { ReleaseQueue.release(link.remove(selector)) }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
    label = visible.label
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }
  override var source: (any SelectionSource)? { link }
  override var resetSteps: ResetSteps? { nil }

  override func makeCell() -> Cell {
    guard let newest else { preconditionFailure("Atoms: a selection has no value.") }
    return makeCell(newest)
  }

  override func makeCell(_ value: AnyPublished) -> Cell { TypedCell(self, value.value(as: Value.self)) }

  /// The value of the last commit, or `nil` until the first state is known.
  var newest: AnyPublished? { link.newest(of: selector) }
}
