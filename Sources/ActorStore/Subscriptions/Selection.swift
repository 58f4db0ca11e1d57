/// A value computed from a store's states, for all its subscribers.
///
/// The committing task evaluates it once per commit. A subscribing task may evaluate the first value. The selection
/// keeps the last value, never a state.
final class Selection<State: Sendable, Value: Sendable>: AnySelection {
  private struct Memory: Sendable {
    var last: Published<Value>?
    /// The revision of the last value, or `nil` while there is none.
    var evaluated: UInt64?
    /// Subscribers that have yet to get their first value, and the revisions at which they subscribed.
    var pending: [(id: SubscriptionID, revision: UInt64)] = []
  }

  let broadcast = Broadcast()
  private let select: @Sendable (State) -> Value
  private let isSame: (@Sendable (Value, Value) -> Bool)?
  private let memory = Locked(Memory())

  /// Creates a selection, which publishes the value of every commit unless there is a comparison.
  init(_ select: @escaping @Sendable (State) -> Value, isSame: (@Sendable (Value, Value) -> Bool)?) {
    self.select = select
    self.isSame = isSame
  }

  // MARK: Subscribing

  /// Starts a subscriber if the value of this revision is known.
  ///
  /// Otherwise, the evaluation of that revision starts it.
  ///
  /// Called under the store's lock, before there is a stream, so there is no consumer to resume. Returns whether there
  /// has never been a value, in which case the caller calls `evaluateFirst` if the state is readable.
  func join(_ id: SubscriptionID, at revision: UInt64) -> Bool {
    memory.withLock { memory in
      if memory.evaluated == revision, let last = memory.last {
        _ = broadcast.start(id, with: last)
        return false
      }
      memory.pending.append((id, revision))
      return memory.evaluated == nil
    }
  }

  /// Evaluates the first value, from the state at a revision.
  ///
  /// Called without a lock.
  ///
  /// If a commit was faster, its value remains. The commit came while the caller was subscribing, so the stream may
  /// start with that value.
  func evaluateFirst(_ state: State, at revision: UInt64) {
    let value = Published(select(state))
    let woken = memory.withLock { memory -> [Broadcast.Consumer] in
      guard memory.evaluated == nil else { return [] }
      return note(value, at: revision, &memory)
    }
    woken.resumeAll()
  }

  /// Starts a subscriber that joined during an edit in place.
  ///
  /// Called with the turn, after the edit.
  func startAfterEdit(_ id: SubscriptionID, with state: State, at revision: UInt64) {
    let (woken, isUnknown) = memory.withLock { memory -> ([Broadcast.Consumer], Bool) in
      guard let index = memory.pending.firstIndex(where: { $0.id == id }) else { return ([], false) }
      // If a guard vetoed the edit, the expected commit never comes.
      memory.pending[index].revision = revision
      guard memory.evaluated == revision, let last = memory.last else { return ([], memory.evaluated == nil) }
      return (note(last, at: revision, &memory), false)
    }
    woken.resumeAll()
    if isUnknown { evaluateFirst(state, at: revision) }
  }

  /// Records the value of a revision, and starts the subscribers that waited for it.
  private func note(_ value: Published<Value>, at revision: UInt64, _ memory: inout Memory) -> [Broadcast.Consumer] {
    memory.last = value
    memory.evaluated = revision
    defer { memory.pending.removeAll { $0.revision <= revision } }
    return memory.pending.filter { $0.revision <= revision }.flatMap { broadcast.start($0.id, with: value) }
  }

  // MARK: Publishing

  /// Evaluates a committed state.
  ///
  /// Called with the turn and without a lock.
  func evaluate(_ state: AnyPublished, at revision: UInt64) {
    let before = memory.withLock { ($0.evaluated == revision, $0.last) }
    if before.0 { return }
    let value = Published(select(state.value(as: State.self)))
    var known = before.1
    while !publish(value, unless: isRepeated(value, known), known, at: revision) {
      // In the meantime, a new subscriber evaluated the first value.
      known = memory.withLock { $0.last }
    }
  }

  private func isRepeated(_ value: Published<Value>, _ last: Published<Value>?) -> Bool {
    guard let last, let isSame else { return false }
    return isSame(last.value, value.value)
  }

  /// Publishes a value, or returns `false`, changing nothing, if the last value is not the one that was compared.
  private func publish(
    _ value: Published<Value>,
    unless isRepeated: Bool,
    _ known: Published<Value>?,
    at revision: UInt64
  ) -> Bool {
    var publication = Broadcast.Publication()
    let woken = memory.withLock { memory -> [Broadcast.Consumer]? in
      guard memory.last === known else { return nil }
      if !isRepeated { publication = broadcast.publish { value } }
      return note(isRepeated ? known ?? value : value, at: revision, &memory)
    }
    // The last value is released here, not under the lock.
    withExtendedLifetime(known) {}
    guard let woken else { return false }
    woken.resumeAll()
    broadcast.offer(publication)
    return true
  }
}

/// A selection of any state and value type.
protocol AnySelection: AnyObject, Sendable {
  var broadcast: Broadcast { get }
  func evaluate(_ state: AnyPublished, at revision: UInt64)
}
