/// Who refused an action, and why.
///
/// A ``Guard`` returns one; the caller finds it in ``Outcome/vetoed(_:)``. In a ``Store/Transaction`` it is thrown.
public struct Veto: Error {
  /// The reason, for people.
  public let reason: String
  /// The type of the guard that refused.
  ///
  /// The store fills it in, unless the guard named another one, whose judgement it passes on. Nil only before that, or
  /// when a transaction's body threw the veto itself.
  public let guardType: (any Guard.Type)?

  /// Makes a veto that gives this reason.
  ///
  /// - Parameters:
  ///   - reason: The reason, for people.
  ///   - guardType: Whose veto it is; by default that of the guard that returns it.
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
  /// Whether reason and guard are the same.
  public static func == (one: Veto, other: Veto) -> Bool {
    one.reason == other.reason && one.guardType == other.guardType
  }
}

extension Veto: CustomStringConvertible {
  /// The guard and the reason.
  public var description: String {
    guardType.map { "\($0): \(reason)" } ?? reason
  }
}
