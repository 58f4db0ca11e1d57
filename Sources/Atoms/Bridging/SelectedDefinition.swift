import ActorStore

/// The definition of a hidden atom with a value that a store's commits select.
///
/// Each graph that has a node of it gets the value of each commit.
final class SelectedDefinition<State: Sendable, Value: Sendable>: AtomDefinition<Value>, Selected, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  private let select: @Sendable (State) -> Value
  /// The value of the last commit, or `nil` until the first state is known.
  private let latest = Locked<AnyPublished?>(nil)

  init(_ select: @escaping @Sendable (State) -> Value) {
    self.select = select
    super.init("", 0, keepsAlive: true)
  }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
    label = visible.label
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }
  override var resetSteps: ResetSteps? { nil }

  override func makeCell() -> Cell {
    guard let value = latest.withLock({ $0 }) else { preconditionFailure("Atoms: a selection has no value.") }
    return TypedCell(self, value.value(as: Value.self))
  }

  override var isSelected: Bool { true }

  func begin(with state: State) {
    let first = Published(select(state))
    latest.withLock { if $0 == nil { $0 = first } }
  }

  func commit(_ state: State) -> AnyPublished? {
    let new = select(state)
    // Only commits change the value, one after another.
    if let equality, let known = latest.withLock({ $0 }), equality.areEqual(known.value(as: Value.self), to: new) {
      return nil
    }
    let box = Published(new)
    let former = latest.withLock { latest in
      defer { latest = box }
      return latest
    }
    withExtendedLifetime(former) {}
    return box
  }
}

/// A selection of any type of value.
protocol Selected<State>: AnyAtomDefinition {
  associatedtype State: Sendable

  /// Selects the first value, unless a commit was faster.
  func begin(with state: State)

  /// Selects the value of a commit, and returns it for the graphs, unless it equals the former one.
  func commit(_ state: State) -> AnyPublished?
}
