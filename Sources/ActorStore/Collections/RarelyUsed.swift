/// A value that most of its owners never change, and that takes one word until its first change (HP16).
struct RarelyUsed<Value: Changeable>: Sendable {
  /// One element, or none before the first change.
  private var values: [Value] = []

  /// The value, or an initial one before the first change.
  var value: Value {
    get { read { $0 } }
    _modify {
      if values.isEmpty { values.append(Value()) }
      yield &values[0]
    }
  }

  /// Reads a part of the value, without copying the others.
  @inline(__always)  // HP12
  func read<Part>(_ part: (Value) -> Part) -> Part {
    values.isEmpty ? part(Value()) : part(values[0])
  }

  /// Whether the value has changed and satisfies a condition.
  @inline(__always)  // HP12
  func holds(_ condition: (Value) -> Bool) -> Bool {
    !values.isEmpty && Self.holds(values, condition)
  }

  // A method would copy the owner's value (HP12).
  @inline(never)  // HP2
  private static func holds(_ values: [Value], _ condition: (Value) -> Bool) -> Bool { condition(values[0]) }
}

/// A value with an initial value.
protocol Changeable: Sendable {
  init()
}

/// An unchanged value equals an initial one.
extension RarelyUsed: Equatable, Hashable where Value: Hashable {
  static func == (one: Self, other: Self) -> Bool { one.value == other.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
