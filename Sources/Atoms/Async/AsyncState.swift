/// The state of a value that is produced asynchronously.
///
/// A `switch` over the three cases needs no default. The enum does not get another case before a new major version.
@frozen
public enum AsyncState<Value: Sendable>: Sendable {
  /// There is no result yet.
  case loading
  /// The last result is a value.
  case success(Value)
  /// The last result is an error.
  case failure(any Error)

  /// The value, or `nil` if the last result is none.
  public var value: Value? { if case .success(let value) = self { value } else { nil } }

  /// Whether there is no result yet.
  public var loading: Bool { if case .loading = self { true } else { false } }

  /// The error, or `nil` if the last result is none.
  public var failure: (any Error)? { if case .failure(let error) = self { error } else { nil } }

  /// Transforms the value, and keeps the other states.
  ///
  /// - Parameter transform: A closure that transforms the value.
  /// - Returns: The state with the transformed value.
  public func map<NewValue, Failure: Error>(
    _ transform: (Value) throws(Failure) -> NewValue
  ) throws(Failure) -> AsyncState<NewValue> {
    switch self {
    case .loading: .loading
    case .success(let value): .success(try transform(value))
    case .failure(let error): .failure(error)
    }
  }
}

extension AsyncState: Equatable where Value: Equatable {
  /// Whether both are in the same state with equal results.
  ///
  /// Errors are equal if they have the same type and are equal, or have the same type and text if that type is not
  /// `Equatable`. So a state equals itself, unless its value or its error does not.
  @inline(__always)  // HP25
  public static func == (one: AsyncState, other: AsyncState) -> Bool {
    // A `switch` over a tuple would look up the type of the tuple at run time.
    switch one {
    case .loading:
      if case .loading = other { return true }
      return false
    case .success(let one):
      guard case .success(let other) = other else { return false }
      return one == other
    case .failure(let one):
      guard case .failure(let other) = other else { return false }
      return areEqual(one, other)
    }
  }

  private static func areEqual<One: Error>(_ one: One, _ other: any Error) -> Bool {
    guard let other = other as? One, type(of: one) == type(of: other) else { return false }
    if let one = one as? any Equatable { return areEqual(one, to: other) }
    return "\(one)" == "\(other)"
  }

  private static func areEqual<One: Equatable>(_ one: One, to other: any Error) -> Bool { one == other as? One }
}
