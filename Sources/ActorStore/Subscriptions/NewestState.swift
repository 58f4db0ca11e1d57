/// The newest state of a series of transitions, kept while the series has subscribers, as pure logic.
///
/// The next transition needs it as its old state. Copying the state before each edit would add a step to every edit in
/// place. The kept state needs no step, because it makes the edit copy the part that it changes.
struct NewestState<Box: Sendable>: Sendable {
  /// The state, or `nil` while it is not kept.
  private(set) var box: Box?

  /// Returns the state that a subscriber starts with, and keeps it.
  mutating func start(_ current: () -> Box) -> Box {
    if let box { return box }
    let new = current()
    box = new
    return new
  }

  /// Keeps a committed state, and returns the one that it replaces.
  ///
  /// Returns `nil`, without creating the new one, if no subscriber has started.
  mutating func replace(_ committed: () -> Box) -> (old: Box, new: Box)? {
    guard let old = box else { return nil }
    let new = committed()
    box = new
    return (old, new)
  }

  /// Takes out the state after the last subscriber has left.
  mutating func forget() -> Box? { box.take() }
}

extension NewestState: Equatable, Hashable where Box: Hashable {}
