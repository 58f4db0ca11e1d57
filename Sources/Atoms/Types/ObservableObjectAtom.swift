public import Observation

/// An `@Observable` object.
///
/// ```swift
/// let settingsAtom = ObservableObjectAtom(Settings())
/// let titleAtom = DerivedAtom { "Volume \(settingsAtom.value.volume)" }
/// ```
///
/// Derivations that read a property of the object run again when the property changes, also if another observable
/// object is between the two. The atom itself changes only when another object takes the place of this one. The reads
/// of an ``AsyncAtom`` are not followed; read a ``PublishedAtom`` there.
///
/// A derivation can run on any thread, so the object must support that, for example with a lock. For objects that
/// belong to an actor, use ``PublishedAtom/init(initialValue:keepAlive:fileID:line:_:)`` or
/// ``PublishedAtom/init(on:initialValue:keepAlive:fileID:line:_:)``.
///
/// After a change, the same thread reads the new values at once. Watchers follow after a hop to another task, because
/// an object announces a change before it happens. A moment later, the derivations run a second time, in case the
/// change took longer. If even that is too early, they follow with the next change.
///
/// Once a program has made such an atom, each run of a derivation takes somewhat longer. Each run that reads an object
/// leaves an observation in that object, which lasts until one of the properties changes.
public struct ObservableObjectAtom<Object: AnyObject & Sendable>: ReadableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Object>

  /// Creates an atom with an object.
  ///
  /// - Parameters:
  ///   - object: The object. Each store evaluates the expression when the atom is first used, and again after the atom
  ///     was out of use. The atoms that it reads become dependencies.
  ///   - keepAlive: Whether a value lives as long as the atom, even when nothing uses the atom. See A30 in
  ///     <doc:AtomPromises>.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init(
    _ object: @autoclosure @escaping @Sendable () -> Object,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Object: Observable {
    ObjectFollower.need()
    definition = DerivedDefinition(fileID, line, keepsAlive: keepAlive, object)
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Object>) { self.definition = definition }
}
