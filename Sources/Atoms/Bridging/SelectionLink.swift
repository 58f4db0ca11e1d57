import ActorStore

/// The selections of the commits of one `Store`.
///
/// All of them have values of the same commit. Graphs that follow take them in one step. No type here depends on that
/// of the state, because unspecialized code would look up types at each commit.
final class SelectionLink: SelectionSource {
  private let state = Locked(LinkState())

  private struct LinkState: Sendable {
    var entries: [Entry] = []
    /// The selectors that have been added, some of which have no value yet.
    var added: [AnySelector] = []
    /// The revision of the commit that the values are from.
    var revision: UInt64?
    /// The number of times that values have changed.
    var step: UInt64 = 0
    var followers: [GraphReference] = []
    /// Ends the calls for commits, or `nil` if there are none.
    var stop: (@Sendable () -> Void)?

    /// The entries of the selectors in `added` that exist.
    var addedEntries: [Entry] { added.compactMap { $0.place < 0 ? nil : entries[$0.place] } }
  }

  private struct Entry: Sendable {
    let selector: AnySelector
    /// The value of the last commit, or `nil` until the first state is known.
    var newest: AnyPublished?
    /// The step in which the value changed, or 0 if there is none yet.
    var step: UInt64 = 0
  }

  /// The number of selections.
  var count: Int { state.withLock { $0.entries.count } }

  /// The number of graphs that follow, some of which may be gone.
  var followerCount: Int { state.withLock { $0.followers.count } }

  deinit {
    let id = ObjectIdentifier(self)
    for follower in state.withLock({ $0.followers }) { follower.withGraph { $0.forget(source: id) } }
  }

  /// Adds a selection, whose first value a call of `select(from:at:)` selects.
  ///
  /// - Parameters:
  ///   - selector: The selector.
  ///   - follow: A closure that makes commits call `select(from:at:)`, until its result is called.
  func add(_ selector: AnySelector, follow: () -> @Sendable () -> Void) {
    let mustFollow = state.withLock { state in
      selector.place = state.entries.count
      state.entries.append(Entry(selector: selector))
      state.added.append(selector)
      return state.stop == nil
    }
    if !mustFollow { return }
    let stop = follow()
    let unneeded = state.withLock { state -> (@Sendable () -> Void)? in
      if state.stop != nil { return stop }
      state.stop = stop
      return nil
    }
    unneeded?()
  }

  /// Removes the selection of an atom that is gone, and returns its value.
  func remove(_ selector: AnySelector) -> AnyPublished? {
    state.withLock { state in
      if selector.place < 0 { return nil }
      let removed = state.entries[selector.place]
      let last = state.entries.removeLast()
      if last.selector !== selector {
        state.entries[selector.place] = last
        last.selector.place = selector.place
      }
      selector.place = -1
      return removed.newest
    }
  }

  /// The newest value of a selection, or `nil` if there is none yet.
  func newest(of selector: AnySelector) -> AnyPublished? {
    state.withLock { state in selector.place < 0 ? nil : state.entries[selector.place].newest }
  }

  /// Gives the selections the values of a commit, and the graphs that follow them the values that have changed.
  ///
  /// Called in the committing turn, and by threads that add selections. They may be faster than the committing task.
  func select(from committed: AnyPublished, at revision: UInt64) {
    while true {
      let (known, step, entries) = state.withLock { state in
        // The selections with a value from this commit have it already.
        let entries = state.revision == revision ? state.addedEntries : state.entries
        return (state.revision, state.step, entries)
      }
      if let known, known > revision { break }
      if known != revision, entries.isEmpty { return stop() }
      let changes = changes(of: entries, in: committed)
      if let followers = take(changes, at: revision, ifAt: known, step) {
        // Without changes, the graphs are up to date, or another thread updates them.
        if !changes.isEmpty || known == revision {
          let values = changes.compactMap { change in change.selector.definition.map { ($0, change.value) } }
          update(followers, last: changes.isEmpty ? nil : Selections(step: step + 1, values: values))
        }
        return
      }
    }
    update(state.withLock { $0.followers })
  }

  private struct Change: Sendable {
    let selector: AnySelector
    let value: AnyPublished
  }

  /// The values in a state that differ from the newest ones.
  private func changes(of entries: consuming [Entry], in committed: AnyPublished) -> [Change] {
    var changes: [Change] = []
    for entry in entries {
      if let value = entry.selector.change(in: committed, since: entry.newest) {
        changes.append(Change(selector: entry.selector, value: value))
      }
    }
    return changes
  }

  /// Makes values the newest ones, and returns the graphs that follow, or `nil` if another thread has been faster.
  private func take(
    _ changes: [Change], at revision: UInt64, ifAt known: UInt64?, _ step: UInt64
  ) -> [GraphReference]? {
    SimulationHooks.ofThread?.touch(self)
    let (followers, former) = state.withLock { state -> ([GraphReference]?, Former) in
      var former = Former()
      guard state.revision == known, state.step == step else { return (nil, former) }
      state.revision = revision
      if changes.isEmpty { return (state.followers, former) }
      state.step += 1
      for change in changes where change.selector.place >= 0 {
        if let value = state.entries[change.selector.place].newest { former.values.append(value) }
        state.entries[change.selector.place].newest = change.value
        state.entries[change.selector.place].step = state.step
      }
      if !state.added.isEmpty {
        former.added = state.added
        state.added = state.addedEntries.filter { $0.newest == nil }.map(\.selector)
      }
      return (state.followers, former)
    }
    withExtendedLifetime(former) {}
    return followers
  }

  /// What a step replaces, which is released without the lock.
  private struct Former: Sendable {
    var values: [AnyPublished] = []
    var added: [AnySelector] = []
  }

  private func update(_ followers: [GraphReference], last: Selections? = nil) {
    var gone: Set<ObjectIdentifier> = []
    for follower in followers {
      if follower.withGraph({ $0.update(from: self, last: last) }) == nil { gone.insert(ObjectIdentifier(follower)) }
    }
    if !gone.isEmpty { state.withLock { $0.followers.removeAll { gone.contains(ObjectIdentifier($0)) } } }
  }

  func values(after step: UInt64?, for graph: GraphReference) -> Selections {
    SimulationHooks.ofThread?.touch(self)
    return state.withLock { state in
      if step == nil { state.followers.append(graph) }
      var selections = Selections(step: state.step)
      for entry in state.entries where entry.step > step ?? 0 {
        // A definition must not be released here, so this looks for the value first.
        guard let value = entry.newest, let definition = entry.selector.definition else { continue }
        selections.values.append((definition, value))
      }
      return selections
    }
  }

  /// Ends the calls for commits, unless there is a selection again.
  private func stop() {
    let stop = state.withLock { $0.entries.isEmpty ? $0.stop.take() : nil }
    stop?()
  }
}
