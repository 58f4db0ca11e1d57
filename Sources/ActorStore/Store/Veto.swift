/// Why an action was refused.
public struct Veto: Sendable, Equatable {
  /// The reason, for people.
  public var reason: String

  /// Makes a veto that gives this reason.
  public init(_ reason: String) {
    self.reason = reason
  }
}
