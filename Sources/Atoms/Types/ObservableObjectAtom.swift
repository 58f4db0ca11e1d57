public import Observation

/// An `@Observable` object.
///
/// ```swift
/// let settingsAtom = ObservableObjectAtom(Settings())
/// let titleAtom = DerivedAtom { "Volume \(settingsAtom.value.volume)" }
/// ```
///
/// A derivation that reads a property of the object runs again when the property changes, even if it reads the property
/// through another observable object. The atom itself changes only when another object takes the place of this one. An
/// ``AsyncAtom`` does not follow objects. Read a ``PublishedAtom`` in its closure instead.
///
/// A derivation can run on any thread, so the object must support that, for example with a lock. For objects that
/// belong to an actor, use ``PublishedAtom/init(initialValue:lifetime:keepAlive:fileID:line:_:)`` or
/// ``PublishedAtom/init(on:initialValue:lifetime:keepAlive:fileID:line:_:)``.
///
/// After a change, reads on the thread that made the change return the new values immediately. Watchers follow after a
/// hop to another task, because an object announces a change before it makes the change. The derivations run again a
/// few times, until a second has passed since the last announcement, in case the change was not complete.
///
/// Once a program has made such an atom, each run of a derivation takes somewhat longer. Each run that reads an object
/// leaves an observation in that object, which lasts until one of the properties changes.
public struct ObservableObjectAtom<Object: AnyObject & Sendable>: ReadableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Object>

  /// Creates an atom with an object.
  ///
  /// - Parameters:
  ///   - object: The object. Each store evaluates the expression at the first use of the atom, and again at the next
  ///     use after a release. The atoms that it reads become dependencies.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init(
    _ object: @autoclosure @escaping @Sendable () -> Object,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Object: Observable {
    ObjectFollower.need()
    definition = DerivedDefinition(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), object)
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Object>) { self.definition = definition }
}
