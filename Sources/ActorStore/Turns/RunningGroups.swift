/// The groups that run on one store, as pure logic.
///
/// A group holds no turn, but the store is not drained before the group ends, and a closed store still accepts the
/// group's actions. Code is *of a group* if it is nested in the group, so each group has an ID in call chains. A group
/// that another group of the same store starts in its own task or its child tasks shares that group's ID. So a chain
/// has at most one such ID for each store.
struct RunningGroups: Sendable {
  struct Group: Sendable {
    let label: ActionLabel
    /// Cancels the group's own task, or `nil` if the group runs in its caller's task.
    var cancel: (@Sendable () -> Void)?
  }

  /// The groups that share an ID.
  private struct Family: Sendable {
    /// The first group, or `nil` if it has ended.
    ///
    /// Usually, it is the only one, so it is kept without an array or a dictionary.
    var first: (number: UInt64, group: Group)?
    /// The groups that began inside the others, by number.
    var others: [UInt64: Group] = [:]

    var isEmpty: Bool { first == nil && others.isEmpty }
    var all: [(number: UInt64, group: Group)] {
      (first.map { [$0] } ?? []) + others.map { ($0.key, $0.value) }
    }

    mutating func add(_ number: UInt64, _ group: Group) {
      if isEmpty { first = (number, group) } else { others[number] = group }
    }

    mutating func remove(_ number: UInt64) -> Group? {
      guard let first, first.number == number else { return others.removeValue(forKey: number) }
      self.first = nil
      return first.group
    }

    mutating func setCancel(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
      if first?.number == number { first?.group.cancel = cancel } else { others[number]?.cancel = cancel }
    }
  }

  /// The running groups by ID.
  private var families: [TurnID: Family] = [:]

  var isEmpty: Bool { families.isEmpty }
  /// The IDs of the running groups.
  var turns: [TurnID] { Array(families.keys) }
  /// The running groups, in the order in which they began.
  var all: [Group] { families.values.flatMap(\.all).sorted { $0.number < $1.number }.map(\.group) }

  /// The first of the turns of a call chain that is the ID of a running group, or `nil` if there is none.
  func first(in turns: [TurnID]) -> TurnID? {
    families.isEmpty ? nil : turns.first { families[$0] != nil }
  }

  /// Adds a group.
  ///
  /// - Parameter number: A number that is larger than those of earlier groups.
  mutating func begin(_ number: UInt64, _ label: ActionLabel, as turn: TurnID) {
    families[turn, default: Family()].add(number, Group(label: label))
  }

  /// Records how to cancel the task of a group, or does nothing if the group has ended.
  mutating func setCancel(_ number: UInt64, as turn: TurnID, _ cancel: @escaping @Sendable () -> Void) {
    families[turn]?.setCancel(number, cancel)
  }

  /// Removes a group and returns it.
  ///
  /// The caller releases it outside the lock.
  mutating func end(_ number: UInt64, as turn: TurnID) -> Group? {
    guard let index = families.index(forKey: turn) else { return nil }
    let group = families.values[index].remove(number)
    if families.values[index].isEmpty { families.remove(at: index) }
    return group
  }
}

extension RunningGroups: Hashable {
  /// Compares the numbers of the groups.
  static func == (one: RunningGroups, other: RunningGroups) -> Bool {
    one.families.mapValues { Set($0.all.map(\.number)) } == other.families.mapValues { Set($0.all.map(\.number)) }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(families.count) }
}
