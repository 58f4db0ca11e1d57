/// The definition of a hidden atom, which has what was assigned last to an atom that is derived from it.
///
/// When that atom comes out of use, the graph restores the default value of the hidden one, too.
final class HiddenDefinition<Value: Sendable>: StoredDefinition<Assignment<Value>>, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  private let belongsToInjection: Bool

  /// Creates the hidden part of an atom, which then calls `join`.
  init(_ initial: Value, _ file: StaticString, _ line: UInt) {
    belongsToInjection = false
    super.init(.initial(initial), file, line, lifetime: .kept)
  }

  /// Creates the hidden part of an injection, which resets it.
  init(injectedInto visible: AnyAtomDefinition) {
    belongsToInjection = true
    super.init(.none, "", 0, lifetime: .kept)
    join(visible)
    label = visible.label
  }

  override var resetSteps: ResetSteps? { belongsToInjection ? nil : super.resetSteps }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }
}
