/// The failure of a sent or deferred action, or of a sent group, that no task awaited.
public struct UnhandledFailure: Sendable {
  /// The name of the store.
  public let store: String
  /// The type of the action or the group, or the label of the closure.
  public let action: String
  /// The error that the action or the group threw, or the reason that it was not committed, as a ``NotCommitted``.
  public let error: any Error

  /// Writes a one-line description to standard error.
  ///
  /// A store calls this method by default.
  public func writeToStandardError() {
    writeLineToStandardError(description)
  }
}

extension UnhandledFailure: CustomStringConvertible {
  /// One line that names the store, the action, and the error.
  public var description: String {
    let end = error is NotCommitted ? "was not committed" : "failed"
    return "ActorStore: \(action) of \(store) \(end), and no task awaited it: \(error)".onOneLine
  }
}
