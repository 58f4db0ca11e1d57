import ActorStore

/// The definition of a hidden atom with a value that a store's commits select.
///
/// Each graph that has a node of it gets the value of each commit.
final class SelectedDefinition<State: Sendable, Value: Sendable>: AtomDefinition<Value>, Selected, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  private let select: Held<@Sendable (State) -> Value>
  private let link: SelectionLink
  /// The value of the last commit, or `nil` until the first state is known.
  private let latest = Locked<AnyPublished?>(nil)

  init(_ link: SelectionLink, _ select: @escaping @Sendable (State) -> Value) {
    self.link = link
    self.select = Held(select)
    super.init("", 0, lifetime: .kept)
  }

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

  var newest: AnyPublished? { latest.withLock { $0 } }

  func change(in state: AnyPublished) -> AnyPublished? {
    let new = select.value(state.value(as: State.self))
    if let equality, let newest, equality.areEqual(newest.value(as: Value.self), to: new) { return nil }
    return Published(new)
  }

  func take(_ value: AnyPublished) -> AnyPublished? {
    latest.withLock { latest in
      defer { latest = value }
      return latest
    }
  }
}

/// A selection of any type of value.
protocol Selected: AnyAtomDefinition {
  /// The newest value, or `nil` if there is none yet.
  var newest: AnyPublished? { get }

  /// The value in a state, unless it equals the newest one.
  func change(in state: AnyPublished) -> AnyPublished?

  /// Makes a value the newest one, and returns the former one.
  ///
  /// Called under the lock of the link.
  func take(_ value: AnyPublished) -> AnyPublished?
}
