/// What is selected of a store's states: evaluated once a commit, by the committing task, for all who watch it.
///
/// It keeps the value it found last, never a state.
final class Selection<State: Sendable, Value: Sendable>: AnySelection {
  private struct Memory: Sendable {
    var last: Published<Value>?
    /// The revision whose value that is; nil as long as there is none.
    var evaluated: UInt64?
    /// Who subscribed, and at which revision, and has yet to get the value to start with.
    var pending: [(id: SubscriptionID, revision: UInt64)] = []
  }

  let broadcast = Broadcast()
  private let select: @Sendable (State) -> Value
  private let isSame: (@Sendable (Value, Value) -> Bool)?
  private let memory = Locked(Memory())

  /// Without a comparison every commit's value is published.
  init(_ select: @escaping @Sendable (State) -> Value, isSame: (@Sendable (Value, Value) -> Bool)?) {
    self.select = select
    self.isSame = isSame
  }

  // MARK: Subscribing

  /// Starts a subscriber if the value of this revision is known; otherwise whoever finds it does.
  ///
  /// Under the store's lock, so before there is a stream and somebody to wake. Returns whether no value was ever found,
  /// and the caller is to `begin`.
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

  /// Finds the first value, without a lock: that of the state at a revision.
  ///
  /// If a commit was quicker, its value stands: it came while the caller was subscribing, so it may start with it.
  func begin(with state: State, at revision: UInt64) {
    let value = Published(select(state))
    let woken = memory.withLock { memory -> [Broadcast.Consumer] in
      guard memory.evaluated == nil else { return [] }
      return note(value, at: revision, &memory)
    }
    woken.resumeAll()
  }

  /// Starts one who subscribed while the state was edited in place: with the turn, the edit being over.
  func settle(_ id: SubscriptionID, with state: State, at revision: UInt64) {
    let (woken, isUnknown) = memory.withLock { memory -> ([Broadcast.Consumer], Bool) in
      guard let index = memory.pending.firstIndex(where: { $0.id == id }) else { return ([], false) }
      // A guard may have refused the edit, and the commit that was awaited does not come.
      memory.pending[index].revision = revision
      guard memory.evaluated == revision, let last = memory.last else { return ([], memory.evaluated == nil) }
      return (note(last, at: revision, &memory), false)
    }
    woken.resumeAll()
    if isUnknown { begin(with: state, at: revision) }
  }

  /// The value of a revision is known: starts those who waited for it.
  private func note(_ value: Published<Value>, at revision: UInt64, _ memory: inout Memory) -> [Broadcast.Consumer] {
    memory.last = value
    memory.evaluated = revision
    defer { memory.pending.removeAll { $0.revision <= revision } }
    return memory.pending.filter { $0.revision <= revision }.flatMap { broadcast.start($0.id, with: value) }
  }

  // MARK: Publishing

  /// A state was committed: with the turn, and without a lock.
  func evaluate(_ state: AnyPublished, at revision: UInt64) {
    let before = memory.withLock { ($0.evaluated == revision, $0.last) }
    if before.0 { return }
    let value = Published(select(state.value(as: State.self)))
    var known = before.1
    while !publish(value, unless: isRepeated(value, known), known, at: revision) {
      // Meanwhile the first value was found by who subscribed.
      known = memory.withLock { $0.last }
    }
  }

  private func isRepeated(_ value: Published<Value>, _ last: Published<Value>?) -> Bool {
    guard let last, let isSame else { return false }
    return isSame(last.value, value.value)
  }

  /// False, and nothing was done, when the last value is not the one that was compared.
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
    // What was last goes here, not under the lock.
    withExtendedLifetime(known) {}
    guard let woken else { return false }
    woken.resumeAll()
    broadcast.offer(publication)
    return true
  }
}

/// A selection, whatever the types of its states and values.
protocol AnySelection: AnyObject, Sendable {
  var broadcast: Broadcast { get }
  func evaluate(_ state: AnyPublished, at revision: UInt64)
}
