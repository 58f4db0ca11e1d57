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

  /// The running groups by ID, and then by number.
  private var groups: [TurnID: [UInt64: Group]] = [:]

  var isEmpty: Bool { groups.isEmpty }
  /// The IDs of the running groups.
  var turns: [TurnID] { Array(groups.keys) }
  /// The running groups, in the order in which they began.
  var all: [Group] { groups.values.joined().sorted { $0.key < $1.key }.map(\.value) }

  /// The first turn of a call chain that is the ID of a running group, or `nil` if there is none.
  func first(in turns: [TurnID]) -> TurnID? {
    groups.isEmpty ? nil : turns.first { groups[$0] != nil }
  }

  /// Adds a group.
  ///
  /// - Parameter number: A number that is larger than those of earlier groups.
  mutating func begin(_ number: UInt64, _ label: ActionLabel, as turn: TurnID) {
    groups[turn, default: [:]][number] = Group(label: label)
  }

  /// Records how to cancel the task of a group, or does nothing if the group has ended.
  mutating func setCancel(_ number: UInt64, as turn: TurnID, _ cancel: @escaping @Sendable () -> Void) {
    groups[turn]?[number]?.cancel = cancel
  }

  /// Removes a group and returns it.
  ///
  /// The caller releases it outside the lock.
  mutating func end(_ number: UInt64, as turn: TurnID) -> Group? {
    defer { if groups[turn]?.isEmpty == true { groups[turn] = nil } }
    return groups[turn]?.removeValue(forKey: number)
  }
}

extension RunningGroups: Hashable {
  /// Compares the numbers of the groups.
  static func == (one: RunningGroups, other: RunningGroups) -> Bool {
    one.groups.mapValues { Set($0.keys) } == other.groups.mapValues { Set($0.keys) }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(groups.count) }
}
