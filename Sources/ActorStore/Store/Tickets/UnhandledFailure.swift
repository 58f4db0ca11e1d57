/// An error of a sent or deferred action that reached nobody.
public struct UnhandledFailure: Sendable {
  /// The name of the store.
  public let store: String
  /// The type of the action, or the label of the closure.
  public let action: String
  /// What it threw.
  public let error: any Error

  /// Writes its description, one line, to standard error: what a store does unless it is told otherwise.
  public func writeToStandardError() {
    writeLineToStandardError(description)
  }
}

extension UnhandledFailure: CustomStringConvertible {
  /// One line that names store, action and error.
  public var description: String {
    "ActorStore: \(action) of \(store) failed and nobody awaited it: \(error)"
  }
}
