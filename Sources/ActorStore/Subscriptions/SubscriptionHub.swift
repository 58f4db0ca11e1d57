/// Who watches one store: its states, and what is selected of them.
///
/// Streams hold the hub, never the store (P14). Its locks are taken under the store's own, never the other way round.
@usableFromInline final class SubscriptionHub: Sendable {
  /// The selections that concern a commit: those that were there when it came.
  @usableFromInline struct Selected: Sendable {
    fileprivate var entries = KeyedArray<ObjectIdentifier, Selections.Entry>()

    @usableFromInline init() {}

    @usableFromInline var isEmpty: Bool { entries.isEmpty }
  }

  @usableFromInline let states = Broadcast()
  private let selections = Locked(Selections())
  private let observations = Locked(ObservationRegistry())

  init() {}

  var isEmpty: Bool { states.isEmpty && selections.withLock { $0.all.isEmpty } }

  /// No state comes any more: every stream delivers what is due, and ends.
  func finish() {
    states.finish()
    for entry in selections.withLock({ $0.finish() }) { entry.selection.broadcast.finish() }
  }

  // MARK: Publishing

  /// What is to be evaluated after a commit: under the store's lock.
  @usableFromInline
  func selected() -> Selected {
    var selected = Selected()
    selected.entries = selections.withLock { $0.all }
    return selected
  }

  /// Evaluates each selection, once, and tells those who watch it: with the turn, and without a lock.
  @usableFromInline
  func evaluate(_ selected: Selected, _ state: AnyPublished, at revision: UInt64) {
    for index in 0..<selected.entries.count { selected.entries[index].value.selection.evaluate(state, at: revision) }
  }

  // MARK: Selections

  /// The selection of an equal key path, if there is one; and what it was compared with.
  func find(_ key: Selections.Key) -> (found: Selections.Entry?, compared: [Selections.Entry]) {
    let candidates = selections.withLock { $0.candidates(key) }
    return (candidates.first { $0.key?.matches(key) == true }, candidates)
  }

  /// Whether a selection is there, under the store's lock.
  ///
  /// One that is new is added, if nothing like it has come meanwhile.
  func admit(
    _ entry: Selections.Entry,
    isNew: Bool,
    after compared: [Selections.Entry]
  ) -> Bool {
    selections.withLock { selections in
      isNew ? selections.add(entry, after: compared) : selections.contains(entry.selection)
    }
  }

  /// Ends a selection that came after the last state.
  func finishIfLate(_ selection: any AnySelection) {
    if selections.withLock({ $0.isFinished }) { selection.broadcast.finish() }
  }

  /// Forgets a selection if nobody watches it any more: under the store's lock, and what it returns goes after it.
  func forgetIfUnwatched(_ selection: any AnySelection) -> Selections.Entry? {
    selections.withLock { $0.removeIfEmpty(selection) }
  }

  // MARK: Observations

  /// Observes for an owner, unless an observation of its with this id stands: returns that.
  ///
  /// - Parameter current: The actor that the caller is on, if it knows.
  func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    id: (any Hashable & Sendable)?,
    on actor: any Actor,
    calledOn current: (any Actor)?,
    _ subscribe: () -> Subscription<Value>,
    _ body: @escaping (Owner, Value) -> Void
  ) -> ObservationToken {
    let key = ObservationRegistry.Key(owner: ObjectIdentifier(owner), id: id)
    while true {
      let (other, candidates) = observations.withLock { ($0.anyToken(of: key.owner), $0.candidates(key)) }
      if let other, !other.belongs(to: owner) {
        for token in observations.withLock({ $0.tokens(of: key.owner) }) where !token.belongs(to: owner) {
          token.cancel()
        }
        continue
      }
      // Their actors are gone.
      for dead in candidates where !dead.isLive(for: owner) { dead.cancel() }
      let live = candidates.filter { $0.isLive(for: owner) }
      if let standing = live.first(where: { $0.hasID(id) }) { return standing }
      let token = ObservationToken(Observer(owner, on: actor, subscribe(), body), key: key, id: id, self)
      if observations.withLock({ $0.add(token, after: candidates) }) {
        endThoseThatAreOver(asSeenOn: current)
        start(token)
        return token
      }
      token.cancel()
    }
  }

  /// An observation outlives the action that began it, so its task is nested in nothing.
  private func start(_ token: ObservationToken) {
    if CallChain.isEmptyHere {
      _ = inheritingTask { await token.run() }
    } else {
      CallChain.cleared { _ = inheritingTask { await token.run() } }
    }
  }

  /// A store that changes seldom, or a filter that accepts little, would find out late who is gone.
  private func endThoseThatAreOver(asSeenOn current: (any Actor)?) {
    let tokens = observations.withLock { $0.toLookThrough() }
    if tokens.isEmpty { return }
    for token in tokens where token.isOver(asSeenOn: current) { token.cancel() }
    observations.withLock { $0.lookedThrough() }
  }

  func stopObserving(_ owner: AnyObject) {
    for token in observations.withLock({ $0.tokens(of: ObjectIdentifier(owner)) }) { token.cancel() }
  }

  func remove(_ token: ObservationToken) {
    observations.withLock { $0.remove(token) }
  }

  // MARK: Looking inside

  var selectionBroadcasts: [Broadcast] { selections.withLock { $0.all.values }.map(\.selection.broadcast) }

  var observationCount: Int { observations.withLock { $0.count } }

  /// The number of observations of an object, or of one that was at its address before.
  func observationCount(of owner: AnyObject) -> Int {
    observations.withLock { $0.tokens(of: ObjectIdentifier(owner)) }.count
  }

  /// What became of the values each subscriber was offered, those of states first.
  var accounts: [StoreDiagnostics.Subscriber] {
    states.accounts + selections.withLock { $0.all.values }.flatMap { $0.selection.broadcast.accounts }
  }
}
