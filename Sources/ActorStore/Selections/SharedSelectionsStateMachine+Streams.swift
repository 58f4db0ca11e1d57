/// The streams of the values, which only the committing task publishes, so that filters run in its turn.
extension SharedSelectionsStateMachine {
  /// How a new subscriber gets its first value.
  enum Start: Sendable {
    /// Start it with this value before unlocking.
    case now(Value)
    /// Run a round with the state of this revision, then call `startPending`.
    case evaluate
    /// The committing task starts it.
    case wait
  }

  /// A value that the committing task publishes.
  struct Due: Sendable {
    let known: Known
    /// Whether the value has changed, so that the streams do not have it.
    let isChanged: Bool
  }

  /// Adds a subscriber that may see this revision and all later ones.
  ///
  /// Called under the store's lock.
  ///
  /// - Parameter isReadable: Whether the state of this revision is readable. It is not during an edit in place. Then,
  ///   the subscriber starts with the commit of that edit.
  mutating func subscribe(_ subscriber: Subscriber, to id: ID, at revision: UInt64, isReadable: Bool) -> Start {
    guard let known = known(id) else { return .wait }
    slots[id.slot].isStreamed = true
    if isReadable, self.revision == revision, !slots[id.slot].isDue, let value = known.value {
      return .now(value)
    }
    slots[id.slot].pending.append(Pending(subscriber: subscriber, revision: isReadable ? revision : revision + 1))
    // After an edit, the subscriber is added again.
    if !isReadable { return .wait }
    if known.value == nil, !isCommitting { return .evaluate }
    list(id)
    return .wait
  }

  /// Adds a subscriber from an edit in place once more, because the edit has ended, perhaps without a commit.
  mutating func subscribeAfterEdit(_ subscriber: Subscriber, to id: ID, at revision: UInt64) -> Start {
    guard isHere(id), let index = slots[id.slot].pending.firstIndex(where: { $0.subscriber == subscriber }) else {
      return .wait
    }
    slots[id.slot].pending.remove(at: index)
    return subscribe(subscriber, to: id, at: revision, isReadable: true)
  }

  /// Takes the subscribers that start with the first value of an entry, and that value.
  ///
  /// If the committing task is about to publish a later value, it also starts them. Otherwise, they would get that
  /// value twice.
  mutating func startPending(_ id: ID) -> (value: Value, subscribers: [Subscriber])? {
    guard let value = known(id)?.value, !slots[id.slot].isDue, let revision else { return nil }
    return (value, takePending(id, upTo: revision))
  }

  /// Begins a commit, and returns whether there are entries, so that the caller must evaluate them.
  ///
  /// Called under the store's lock.
  mutating func beginCommit() -> Bool {
    isCommitting = !isEmpty
    return isCommitting
  }

  /// Ends the rounds of a commit, and returns the values to publish.
  ///
  /// Returns `nil` if entries have come in during the round, for which the committing task runs another one.
  mutating func endCommit() -> [Due]? {
    if unknown.contains(where: isUnknown) { return nil }
    isCommitting = false
    defer { due = [] }
    return due.compactMap { id in
      guard let known = known(id) else { return nil }
      slots[id.slot].isListed = false
      return Due(known: known, isChanged: slots[id.slot].isDue)
    }
  }

  /// Notes that the value of an entry has been published, and returns the subscribers that start with it.
  mutating func settle(_ id: ID, at revision: UInt64) -> [Subscriber] {
    guard isHere(id) else { return [] }
    slots[id.slot].isDue = false
    return takePending(id, upTo: revision)
  }

  /// Lets the committing task publish a changed value.
  mutating func makeDue(_ id: ID) {
    slots[id.slot].isDue = true
    list(id)
  }

  private mutating func list(_ id: ID) {
    if slots[id.slot].isListed { return }
    slots[id.slot].isListed = true
    due.append(id)
  }

  private mutating func takePending(_ id: ID, upTo revision: UInt64) -> [Subscriber] {
    let pending = slots[id.slot].pending
    if pending.isEmpty { return [] }
    slots[id.slot].pending = pending.filter { $0.revision > revision }
    return pending.filter { $0.revision <= revision }.map(\.subscriber)
  }
}

extension SharedSelectionsStateMachine.Due: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
