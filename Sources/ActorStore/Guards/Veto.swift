/// A guard's refusal of an action.
///
/// A ``Guard`` returns it, and the caller gets it in ``Outcome/vetoed(_:)``. A ``Store/Transaction`` throws it when a
/// guard refuses a member.
public struct Veto: Error {
  /// The reason, in words.
  public let reason: String
  /// The type of the guard that refused the action.
  ///
  /// The store sets it when a guard returns a veto without a type. A guard can name another type to report that guard's
  /// decision. It is `nil` only before the store sets it, or if the body of a transaction created the veto.
  public let guardType: (any Guard.Type)?

  /// Creates a veto.
  ///
  /// - Parameters:
  ///   - reason: The reason, in words.
  ///   - guardType: The type of the guard that refused the action. The default is that of the guard that returns the
  ///     veto.
  public init(_ reason: String, by guardType: (any Guard.Type)? = nil) {
    self.reason = reason
    self.guardType = guardType
  }

  @usableFromInline
  func attributed(to type: any Guard.Type) -> Veto {
    guardType == nil ? Veto(reason, by: type) : self
  }
}

extension Veto: Equatable {
  /// Whether two vetoes have the same reason and guard.
  public static func == (one: Veto, other: Veto) -> Bool {
    one.reason == other.reason && one.guardType == other.guardType
  }
}

extension Veto: CustomStringConvertible {
  /// The guard type and the reason.
  public var description: String {
    guardType.map { "\($0): \(reason)" } ?? reason
  }
}
