import ActorStore

/// The definition of a hidden atom, which has the value that was set last of an atom that is derived from it.
final class HiddenDefinition<Value: Sendable>: StoredDefinition<Value>, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  private let isOverride: Bool

  override init(_ initial: Value, _ file: StaticString, _ line: UInt) {
    isOverride = false
    super.init(initial, file, line)
  }

  /// Creates the hidden part of an injection, which resets it.
  init(_ initial: Value, of visible: AnyAtomDefinition) {
    isOverride = true
    super.init(initial, "", 0)
    join(visible)
    label = visible.label
  }

  override var resetSteps: ResetSteps? { isOverride ? nil : super.resetSteps }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }
}
