/// The groups that run on one store, as pure logic.
///
/// A group holds no turn, but the store is not drained before it ends, and a closed store still accepts its actions.
/// Code is *of a group* if it is nested in it, so each group has an ID in call chains. A group that another group of the
/// same store starts in its own task or its child tasks shares that group's ID. So a chain has at most one such ID for
/// each store.
struct RunningGroups: Sendable {
  struct Group: Sendable {
    let label: ActionLabel
    /// The ID of the group in call chains.
    let turn: TurnID
    /// Cancels the group's own task, or `nil` if the group runs in its caller's task.
    var cancel: (@Sendable () -> Void)?
  }

  private var groups: [UInt64: Group] = [:]
  /// The number of running groups with each ID.
  private var counts: [TurnID: Int] = [:]
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { groups.isEmpty }
  /// The IDs of the running groups.
  var turns: [TurnID] { Array(counts.keys) }
  /// The running groups, in the order in which they began.
  var all: [Group] { groups.sorted { $0.key < $1.key }.map(\.value) }

  /// The first of the turns of a call chain that is the ID of a running group, or `nil` if there is none.
  func first(in turns: [TurnID]) -> TurnID? {
    groups.isEmpty ? nil : turns.first { counts[$0] != nil }
  }

  /// Adds a group and returns its number.
  ///
  /// - Parameter turn: Returns the ID of the group for its number.
  mutating func begin(_ label: ActionLabel, as turn: (UInt64) -> TurnID) -> UInt64 {
    lastNumber += 1
    let turn = turn(lastNumber)
    groups[lastNumber] = Group(label: label, turn: turn)
    counts[turn, default: 0] += 1
    return lastNumber
  }

  /// Records how to cancel the task of a group, or does nothing if the group has ended.
  mutating func setCancel(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
    groups[number]?.cancel = cancel
  }

  /// Removes a group and returns it.
  ///
  /// The caller releases it outside the lock.
  mutating func end(_ number: UInt64) -> Group? {
    guard let group = groups.removeValue(forKey: number), let count = counts[group.turn] else { return nil }
    counts[group.turn] = count == 1 ? nil : count - 1
    return group
  }
}

extension RunningGroups: Hashable {
  /// Compares the groups without their tasks.
  static func == (one: RunningGroups, other: RunningGroups) -> Bool { one.counts == other.counts }

  func hash(into hasher: inout Hasher) { hasher.combine(counts) }
}
