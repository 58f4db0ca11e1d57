/// The reason why a path leads to no leaf, or why there is no single path.
///
/// The description begins with the path up to the failure, for example
/// `posts[3].comments: there is no element with the key "c9"`.
public struct StatePathError: Error, Hashable, Sendable {
  /// The kinds of failures, with descriptions of the keys and types.
  public enum Reason: Hashable, Sendable {
    /// The optional at the path is `nil`.
    case noChild
    /// The collection at the path has no element with the ID, or no value for the key.
    case noElement(key: String)
    /// The collection at the path needs a key, but none is left.
    case tooFewKeys
    /// The path needs no more keys, but these are left.
    case tooManyKeys([String])
    /// The collection at the path has keys of another type.
    case wrongKey(String, type: String, expected: String)
    /// Several declared paths fit the keys. The strings describe two of them.
    case ambiguous([String])
    /// No declared path has these names.
    case noPathNamed([String])
    /// The declarations contain no path to the leaf's type.
    case noPath(to: String)
  }

  /// The path up to the failure, such as `posts[3].comments`.
  ///
  /// It is `self` if that is the root.
  public let path: String
  /// The kind of failure.
  public let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  @usableFromInline init(missing step: PathStep, after steps: ArraySlice<PathStep>) {
    let path = steps.pathDescription
    switch step.kind {
    case .element(let key): self.init(path, .noElement(key: describe(key)))
    case .child, .optional, .declared: self.init((steps + [step]).pathDescription, .noChild)
    }
  }
}

extension StatePathError: CustomStringConvertible {
  /// The path up to the failure, and the failure.
  public var description: String { "\(path): \(reason)" }
}

extension StatePathError.Reason: CustomStringConvertible {
  /// The failure in one sentence.
  public var description: String {
    switch self {
    case .noChild: "the child is nil"
    case .noElement(let key): "there is no element with the key \(key)"
    case .tooFewKeys: "a key is missing"
    case .tooManyKeys(let keys): "there are too many keys: \(keys.joined(separator: ", "))"
    case .wrongKey(let key, let type, let expected):
      "the key \(key) has the type \(type), but the type \(expected) is needed"
    case .ambiguous(let paths):
      "several paths fit the keys, so name a step with \"via\": \(paths.joined(separator: ", "))"
    case .noPathNamed(let names): "no declared path goes via \(names.joined(separator: ", "))"
    case .noPath(let leaf): "no declared path leads to \(leaf)"
    }
  }
}
