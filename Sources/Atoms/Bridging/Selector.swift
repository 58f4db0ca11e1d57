import ActorStore

/// Selects a value of any type from the states of a store.
///
/// A link holds the selectors, and not the atoms, so that a commit does not have to find out which atoms exist.
class AnySelector: @unchecked Sendable {
  // Invariant: `definition` is set before any other thread can use the selector. `place` is accessed under the lock of
  // the link.

  /// The hidden atom with the value, if it still exists.
  private(set) weak var definition: AnyAtomDefinition?
  /// The index among the selectors of the link, or -1 if it has removed the selector.
  final var place = -1

  /// Notes the hidden atom with the value.
  final func join(_ definition: AnyAtomDefinition) { self.definition = definition }

  /// The value in a state, unless it equals the newest one.
  func change(in state: AnyPublished, since newest: AnyPublished?) -> AnyPublished? {
    preconditionFailure("Atoms: an abstract method was called.")
  }
}

/// Selects the value at a key path.
final class Selector<State: Sendable, Value: Sendable>: AnySelector, @unchecked Sendable {
  // Invariant: it stores only constants.

  private let path: any KeyPath<State, Value> & Sendable
  /// The offset of the value in a state that stores it, which is much faster to read than a key path.
  private let offset: Int?
  private let equality = Equality.of(Value.self)

  init(_ path: any KeyPath<State, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<State>.offset(of: path)
  }

  override func change(in state: AnyPublished, since newest: AnyPublished?) -> AnyPublished? {
    if let offset, let equality, let newest, equality.areEqual(newest, toPartOf: state, at: offset) { return nil }
    var changed: AnyPublished?
    let state = state.value(as: State.self)
    ValueSlot.with(resultOf: { state[keyPath: path] }) { new in
      if let equality, let newest, equality.areEqual(newest, to: new) {
        new.release(as: Value.self)
      } else {
        changed = Published(new.move(as: Value.self))
      }
    }
    return changed
  }
}
