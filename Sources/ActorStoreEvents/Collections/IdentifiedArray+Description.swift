extension IdentifiedArray: CustomStringConvertible {
  /// The description of a plain array with the same elements.
  public var description: String { storage.description }
}

extension IdentifiedArray: CustomDebugStringConvertible {
  /// The description of a plain array with the same elements, with the name of the type.
  public var debugDescription: String { "IdentifiedArray(\(storage.debugDescription))" }
}

extension IdentifiedArray: CustomReflectable {
  /// The mirror of a collection.
  ///
  /// `Dump` therefore shows the elements like those of a plain array.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: storage, displayStyle: .collection) }
}
