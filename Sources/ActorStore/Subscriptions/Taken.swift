/// The result of an attempt to take the next value of a subscription.
enum Taken<Value: Sendable>: Sendable {
  case value(Value)
  /// There was a value, but the filter refused it.
  case refused
  /// There is no value yet.
  case nothing
  /// The subscription has ended.
  case end
}

extension Taken {
  func map<NewValue>(_ transform: (Value) -> NewValue) -> Taken<NewValue> {
    switch self {
    case .value(let value): .value(transform(value))
    case .refused: .refused
    case .nothing: .nothing
    case .end: .end
    }
  }
}
