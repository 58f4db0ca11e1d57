/// The refusal of an action by a guard or a middleware.
///
/// A ``Guard`` returns it, or a ``Middleware`` throws it, and the caller gets it in ``Outcome/vetoed(_:)``. A
/// ``Store/Transaction`` throws it when a member is refused.
public struct Veto: Error {
  /// The reason, in words.
  public let reason: String
  /// The type of the guard or the middleware that refused the action.
  ///
  /// The store sets it if the veto has no type. A guard can name another type to report that type's decision. It is
  /// `nil` only before the store sets it, or if the body of a transaction created the veto.
  public let refuser: Any.Type?

  /// Creates a veto.
  ///
  /// - Parameters:
  ///   - reason: The reason, in words.
  ///   - refuser: The type of the guard or the middleware that refused the action. The default is that of the one that
  ///     returns or throws the veto.
  public init(_ reason: String, by refuser: Any.Type? = nil) {
    self.reason = reason
    self.refuser = refuser
  }

  @usableFromInline
  func attributed(to type: Any.Type) -> Veto {
    refuser == nil ? Veto(reason, by: type) : self
  }
}

extension Veto: Equatable {
  /// Whether two vetoes have the same reason and refuser.
  public static func == (one: Veto, other: Veto) -> Bool {
    one.reason == other.reason && one.refuser == other.refuser
  }
}

extension Veto: CustomStringConvertible {
  /// The type of the refuser and the reason.
  public var description: String {
    refuser.map { "\($0): \(reason)" } ?? reason
  }
}
