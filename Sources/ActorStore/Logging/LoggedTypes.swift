/// The texts of actions and groups.
///
/// Names and mirrors take microseconds, so this object learns each type once. It never forgets a type, because the
/// runtime does not either.
final class LoggedTypes: Sendable {
  /// The facts about a type that never change.
  private final class LoggedType: Sendable {
    let name: String
    /// The stored properties, if they are scalars.
    let fields: ScalarFields?

    init(name: String, fields: ScalarFields?) {
      self.name = name
      self.fields = fields
    }
  }

  private struct Table: Sendable {
    var rows = AddressRows()
    var types: [LoggedType] = []
  }

  private let table = Locked(Table())

  /// Returns the name of a value's type, and the value on one line, or `nil` if it has no stored properties.
  func texts<Value>(of value: Value) -> (name: String, payload: String?) {
    let type = type(of: value)
    let hasPayload = MemoryLayout<Value>.size > 0
    return (type.name, hasPayload ? type.fields?.line(of: value, bytes: Dump.lineWidth) ?? Dump.line(of: value) : nil)
  }

  private func type<Value>(of value: Value) -> LoggedType {
    let address = UInt(bitPattern: ObjectIdentifier(Value.self))
    if let known = table.withLock({ table in table.rows[address].map { table.types[$0] } }) { return known }
    let new = LoggedType(name: "\(Value.self)", fields: ScalarFields(of: value))
    return table.withLock { table in
      // Several threads may learn the type.
      if let row = table.rows[address] { return table.types[row] }
      table.rows.insert(address, row: table.types.count)
      table.types.append(new)
      return new
    }
  }
}
