/// One step of a path, without the types of the states.
///
/// It identifies and describes the step. The closure of the path follows it.
@frozen @usableFromInline struct PathStep: Sendable {
  @usableFromInline enum Kind: Sendable {
    case child(any AnyKeyPath & Sendable)
    case optional(any AnyKeyPath & Sendable)
    /// The element with an ID, or the value for a key.
    case element(any Hashable & Sendable)
    /// A declared path whose key is unknown, in an error.
    case declared
  }

  @usableFromInline let kind: Kind
  /// The name that the user gave to the step.
  @usableFromInline let givenName: String?

  @inlinable
  init(_ kind: Kind, _ name: String? = nil) {
    self.kind = kind
    givenName = name
  }

  /// A declared path whose key is unknown, in an error.
  init(named name: String) { self.init(.declared, name) }

  /// The name of a child, or the key in brackets.
  ///
  /// It is computed only when needed, because the name of a key path costs microseconds.
  var name: String {
    switch kind {
    case .child(let path), .optional(let path): givenName ?? path.propertyName
    case .element(let key): "[\(describe(key))]"
    case .declared: givenName ?? ""
    }
  }
}

extension PathStep: Hashable {
  @usableFromInline static func == (one: PathStep, other: PathStep) -> Bool {
    switch (one.kind, other.kind) {
    case (.child(let path), .child(let other)), (.optional(let path), .optional(let other)): path == other
    // Equal steps before this one lead to the same type of collection, and so to the same type of keys.
    case (.element(let key), .element(let other)): AnyHashable(key) == AnyHashable(other)
    default: false
    }
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    switch kind {
    case .child(let path), .optional(let path): hasher.combine(path)
    case .element(let key): hasher.combine(key)
    case .declared: break
    }
  }
}

extension ArraySlice<PathStep> {
  var pathDescription: String {
    if isEmpty { return "self" }
    return reduce(into: "") { text, step in
      let name = step.name
      text += text.isEmpty || name.hasPrefix("[") ? name : ".\(name)"
    }
  }
}

extension AnyKeyPath {
  /// The names of the properties, or the type of the value in parentheses if a property has no known name.
  fileprivate var propertyName: String {
    let prefix = "\\\(Self.rootType)."
    let text = debugDescription
    // A computed property is described by an address, and a stored one without reflection metadata by an offset.
    guard text.hasPrefix(prefix), !text.dropFirst(prefix.count).contains("<") else { return "(\(Self.valueType))" }
    return String(text.dropFirst(prefix.count))
  }
}

/// Describes a key for a person, and a string as a literal.
func describe(_ key: any Hashable & Sendable) -> String {
  key is any StringProtocol ? String(reflecting: key) : "\(key)"
}
