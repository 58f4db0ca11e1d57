/// The stored properties of a structure that contains only numbers, Booleans, and strings.
///
/// A mirror takes microseconds. For such a structure, this object finds the same difference much faster. It learns the
/// names and the types of the properties from a mirror once. After that, it reads them in memory.
final class ScalarFields: Sendable {
  private struct Field: Sendable {
    let label: String
    let offset: Int
    let scalar: ScalarType
  }

  private let name: String
  private let fields: [Field]
  /// Compares two structures by their own `==`, or `nil` if they have none.
  private let equality: Equality?

  /// Learns the properties of a type, or returns `nil` if a property is not a scalar, or if the type chooses what it
  /// shows.
  ///
  /// Swift stores properties in the order of their declaration, each at the next offset that its alignment permits. A
  /// mirror shows the value in an existential instead of the existential. An existential is larger than each scalar, so
  /// the sizes then differ.
  init?<Value>(of value: Value) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct, !(value is any CustomReflectable), !describesItself(Value.self) else {
      return nil
    }
    var fields: [Field] = []
    var end = 0
    for child in mirror.children {
      guard let label = child.label, let scalar = ScalarType(type(of: child.value)) else { return nil }
      let offset = (end + scalar.alignment - 1) / scalar.alignment * scalar.alignment
      fields.append(Field(label: label + ": ", offset: offset, scalar: scalar))
      end = offset + scalar.size
    }
    guard !fields.isEmpty, end == MemoryLayout<Value>.size else { return nil }
    name = "\(Value.self)"
    self.fields = fields
    equality = (Value.self as? any Equatable.Type).map { Self.makeEquality(of: $0) }
  }

  private static func makeEquality<Value: Equatable>(of type: Value.Type) -> Equality { TypedEquality<Value>() }

  enum Result: Equatable, Sendable {
    case same
    case different(String)
    /// The difference would exceed the limits, or does not show why the structures are not equal.
    case unknown
  }

  /// Describes the difference of two structures of the type that this object is for, as `Dump` does.
  func difference<Value>(from old: Value, to new: Value, limits: Dump.Limits) -> Result {
    guard fields.count * 2 + 3 <= limits.lines else { return .unknown }
    // Invariant: the pointers cover live values of the type whose properties this object has learned.
    return unsafe withUnsafePointer(to: old) { old in
      unsafe withUnsafePointer(to: new) { new in
        unsafe difference(from: UnsafeRawPointer(old), to: UnsafeRawPointer(new), limits.characters)
      }
    }
  }

  private func difference(from old: UnsafeRawPointer, to new: UnsafeRawPointer, _ characters: Int) -> Result {
    if let equality, unsafe equality.areEqual(old, new) { return .same }
    var hasChanged = false
    let text = TextBuffer.text { text in
      text.append("  ")
      text.append(text: name)
      text.append("(\n")
      var unchanged: UInt64 = 0
      for index in fields.indices {
        let field = fields[index]
        let (before, after) = unsafe (old + field.offset, new + field.offset)
        if unsafe field.scalar.areSame(before, after) {
          unchanged += 1
          continue
        }
        Self.append(unchanged, to: &text)
        (unchanged, hasChanged) = (0, true)
        let isLast = index == fields.count - 1
        text.append("-   ")
        text.append(text: field.label)
        guard unsafe field.scalar.append(before, to: &text, characters) else { return false }
        text.append(isLast ? "\n+   " : ",\n+   ")
        text.append(text: field.label)
        guard unsafe field.scalar.append(after, to: &text, characters) else { return false }
        text.append(isLast ? "\n" : ",\n")
      }
      Self.append(unchanged, to: &text)
      text.append("  )")
      return hasChanged
    }
    if let text { return .different(text) }
    return hasChanged || equality != nil ? .unknown : .same
  }

  private static func append(_ unchanged: UInt64, to text: inout TextBuffer) {
    if unchanged == 0 { return }
    text.append("    … (")
    text.append(unchanged)
    text.append(" unchanged)\n")
  }

  /// Returns a structure of the type that this object is for as text, or `nil` if it has more bytes than permitted.
  func line<Value>(of value: Value, bytes: Int) -> String? {
    // Invariant: the pointer covers a live value of the type whose properties this object has learned.
    let text = unsafe withUnsafePointer(to: value) { value in unsafe line(of: UnsafeRawPointer(value), bytes) }
    return text.flatMap { $0.utf8.count <= bytes ? $0 : nil }
  }

  private func line(of value: UnsafeRawPointer, _ characters: Int) -> String? {
    TextBuffer.text { text in
      text.append(text: name)
      text.append("(")
      for index in fields.indices {
        let field = fields[index]
        if index > 0 { text.append(", ") }
        text.append(text: field.label)
        guard unsafe field.scalar.append(value + field.offset, to: &text, characters) else { return false }
      }
      text.append(")")
      return true
    }
  }
}

/// Whether values of a type have a text that does not show their stored properties.
private func describesItself<Value>(_ type: Value.Type) -> Bool {
  let module = String(reflecting: type).prefix { $0 != "." }
  return module == "Swift" || module.hasPrefix("Foundation")
}

/// A number, a Boolean, or a string in memory.
///
/// The code is concrete. Calling generic code through a protocol takes several times as long.
private enum ScalarType: Equatable, Sendable {
  /// An integer with this number of bytes.
  case signed(Int), unsigned(Int)
  case bool, double, float, string

  /// Returns `nil` if a type is not exactly one of these.
  ///
  /// A cast of the value would look through optionals, which have other values in the same memory.
  init?(_ type: any Any.Type) {
    switch type {
    case is Int.Type: self = .signed(MemoryLayout<Int>.size)
    case is UInt.Type: self = .unsigned(MemoryLayout<UInt>.size)
    case is Bool.Type: self = .bool
    case is String.Type: self = .string
    case is Double.Type: self = .double
    case is Float.Type: self = .float
    case is Int8.Type: self = .signed(1)
    case is Int16.Type: self = .signed(2)
    case is Int32.Type: self = .signed(4)
    case is Int64.Type: self = .signed(8)
    case is UInt8.Type: self = .unsigned(1)
    case is UInt16.Type: self = .unsigned(2)
    case is UInt32.Type: self = .unsigned(4)
    case is UInt64.Type: self = .unsigned(8)
    default: return nil
    }
  }

  var size: Int {
    switch self {
    case .signed(let size), .unsigned(let size): size
    case .bool: MemoryLayout<Bool>.size
    case .double: MemoryLayout<Double>.size
    case .float: MemoryLayout<Float>.size
    case .string: MemoryLayout<String>.size
    }
  }

  var alignment: Int { self == .string ? MemoryLayout<String>.alignment : size }

  func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    switch self {
    case .signed(let size), .unsigned(let size): unsafe Self.integer(one, size) == Self.integer(other, size)
    case .bool: unsafe one.load(as: Bool.self) == other.load(as: Bool.self)
    case .double: unsafe isUnchanged(one.load(as: Double.self), other.load(as: Double.self))
    case .float: unsafe isUnchanged(one.load(as: Float.self), other.load(as: Float.self))
    case .string: unsafe one.load(as: String.self) == other.load(as: String.self)
    }
  }

  /// Appends a value, or returns `false` if it has more characters than permitted, or more than one line.
  func append(_ value: UnsafeRawPointer, to text: inout TextBuffer, _ characters: Int) -> Bool {
    switch self {
    case .signed(let size):
      let number = unsafe Self.integer(value, size)
      if number < 0 { text.append("-") }
      text.append(UInt64(number.magnitude))
    case .unsigned(let size):
      // The sign bit was extended.
      text.append(unsafe UInt64(bitPattern: Self.integer(value, size)) & (.max >> UInt64(64 - 8 * size)))
    case .bool: text.append(unsafe value.load(as: Bool.self) ? "true" : "false")
    case .double: text.append(text: unsafe value.load(as: Double.self).description)
    case .float: text.append(text: unsafe value.load(as: Float.self).description)
    case .string: return unsafe Self.append(value.load(as: String.self), to: &text, characters)
    }
    return true
  }

  private static func integer(_ value: UnsafeRawPointer, _ size: Int) -> Int64 {
    switch size {
    case 1: unsafe Int64(value.load(as: Int8.self))
    case 2: unsafe Int64(value.load(as: Int16.self))
    case 4: unsafe Int64(value.load(as: Int32.self))
    default: unsafe value.load(as: Int64.self)
    }
  }

  private static func append(_ string: String, to text: inout TextBuffer, _ characters: Int) -> Bool {
    // A character has at least one byte.
    if string.utf8.count > characters { return false }
    if string.utf8.allSatisfy(\.isPlain) {
      text.append("\"")
      text.append(text: string)
      text.append("\"")
      return true
    }
    let description = string.debugDescription
    text.append(text: description)
    return !description.contains(where: \.isNewline)
  }
}

extension UInt8 {
  /// Whether the character is in ASCII and needs no escape sequence.
  fileprivate var isPlain: Bool { self >= 0x20 && self < 0x7F && self != 0x22 && self != 0x5C }
}
