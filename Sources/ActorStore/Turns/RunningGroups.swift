/// The groups that run on one store, as pure logic.
///
/// A group holds no turn, but the store is not drained before the group ends, and a closed store still accepts the
/// group's actions. Code is *of a group* if it is nested in the group, so each group has an ID in call chains. A group
/// that another group of the same store starts in its own task or its child tasks shares that group's ID. So a chain
/// has at most one such ID for each store.
struct RunningGroups: Sendable {
  struct Group: Sendable {
    let number: UInt64
    /// The ID of the group.
    let turn: TurnID
    let label: ActionLabel
    /// Cancels the group's own task, or `nil` if the group runs in its caller's task.
    var cancel: (@Sendable () -> Void)?

    fileprivate static var none: Group { Group(number: 0, turn: .none, label: .text("")) }
  }

  /// One running group, or `Group.none` if this place is free, which is possible while other groups run.
  ///
  /// Usually, it is the only running group, so it is stored here instead of in a dictionary. It is not optional, because
  /// an optional is copied and destroyed through the type's metadata, which is slower.
  private var first = Group.none
  /// The other groups, by number.
  private var others: [UInt64: Group] = [:]
  /// The number of other groups with each ID.
  private var otherCounts: [TurnID: Int] = [:]

  var isEmpty: Bool { first.number == 0 && others.isEmpty }
  /// The IDs of the running groups.
  var turns: [TurnID] { Array(Set(all.map(\.turn))) }
  /// The running groups, in the order in which they began.
  var all: [Group] {
    ([first] + others.values).filter { $0.number != 0 }.sorted { $0.number < $1.number }
  }

  /// The first of the turns of a call chain that is the ID of a running group, or `nil` if there is none.
  func first(in turns: [TurnID]) -> TurnID? {
    turns.first { first.turn == $0 || otherCounts[$0] != nil }
  }

  /// Adds a group.
  ///
  /// - Parameter number: A number above 0 and above the numbers of all earlier groups.
  mutating func begin(_ number: UInt64, _ label: ActionLabel, as turn: TurnID) {
    let group = Group(number: number, turn: turn, label: label)
    if first.number == 0 {
      first = group
    } else {
      others[number] = group
      otherCounts[turn, default: 0] += 1
    }
  }

  /// Records how to cancel the task of a group that has begun.
  ///
  /// Does nothing if the group has already ended, because the task of a sent group starts before this call.
  mutating func setCancel(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
    if first.number == number {
      first.cancel = cancel
    } else {
      others[number]?.cancel = cancel
    }
  }

  /// Removes a group, and returns the closure that cancels its task, or `nil` if it runs in its caller's task.
  ///
  /// The caller releases the closure outside the lock.
  mutating func end(_ number: UInt64) -> (@Sendable () -> Void)? {
    if first.number == number {
      let cancel = first.cancel
      first = .none
      return cancel
    }
    guard let group = others.removeValue(forKey: number) else { return nil }
    let count = otherCounts[group.turn, default: 0]
    otherCounts[group.turn] = count > 1 ? count - 1 : nil
    return group.cancel
  }
}

extension RunningGroups: Hashable {
  /// Compares the numbers of the groups.
  static func == (one: RunningGroups, other: RunningGroups) -> Bool { one.numbers == other.numbers }

  func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

  private var numbers: [UInt64] { all.map(\.number) }
}
