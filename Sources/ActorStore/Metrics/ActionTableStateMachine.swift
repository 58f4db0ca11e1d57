/// An action as metrics distinguish it: by its type, or by the label of a closure or a transaction.
enum ActionKey: Sendable {
  case type(any Any.Type)
  case label(StaticString)

  /// The name of the series that counts the action.
  var name: String {
    switch self {
    case .type(let type): String(describing: type)
    case .label(let label): label.description
    }
  }

  /// The address of the type or of the label, which is never zero.
  ///
  /// Several addresses can have the same name.
  var address: UInt {
    switch self {
    case .type(let type): UInt(bitPattern: ObjectIdentifier(type))
    case .label(let label): addressOfText(label)
    }
  }
}

/// The counts of a number of actions.
///
/// Actions with the same name share their counts. The table finds an action by address, because computing its name
/// takes longer than all other steps together.
struct ActionTableStateMachine: Sendable {
  struct Row: Sendable {
    let name: String
    var counts = ActionCounts()
  }

  private(set) var rows: [Row] = []
  private var rowOfName: [String: Int] = [:]
  private var rowOfAddress = AddressRows()
  private let limit: Int

  /// - Parameter limit: The number of addresses that the table remembers.
  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a report, or returns `false` if the table does not know the action.
  mutating func add(_ sample: ActionSample, of action: ActionKey) -> Bool {
    guard let row = rowOfAddress[action.address] else { return false }
    rows[row].counts.add(sample)
    return true
  }

  /// Counts a report with the actions of a name.
  mutating func add(_ sample: ActionSample, of action: ActionKey, named name: String) {
    let row = rowOfName[name] ?? rows.count
    if row == rows.count {
      rows.append(Row(name: name))
      rowOfName[name] = row
    }
    // Another thread may have added the action.
    if rowOfAddress.count < limit, rowOfAddress[action.address] == nil {
      rowOfAddress.insert(action.address, row: row)
    }
    rows[row].counts.add(sample)
  }
}

/// The names of actions that have counts of their own.
struct ActionNames: Sendable {
  private var names: Set<String> = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns the name if it is among the first `limit` different names, and `"other"` if it is not.
  mutating func admit(_ name: String) -> String {
    if names.contains(name) { return name }
    if names.count >= limit { return "other" }
    names.insert(name)
    return name
  }
}
