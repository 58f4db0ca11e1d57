import ActorStore

/// The selections of the commits of one `Store`.
///
/// All of them have values of the same commit. Graphs that follow take them in one step. No type here depends on that
/// of the state, because unspecialized code would look up types at each commit.
final class SelectionLink: SelectionSource {
  private let state = Locked(LinkState())

  private struct LinkState: Sendable {
    var selections: [Entry] = []
    var lastNumber = 0
    var countToSearch = 16
    /// The revision of the commit that the values are from.
    var revision: UInt64?
    /// The number of times that values have changed.
    var step: UInt64 = 0
    var followers: [GraphReference] = []
    /// Ends the calls for commits, or `nil` if there are none.
    var stop: (@Sendable () -> Void)?
  }

  private struct Entry: Sendable {
    weak var selection: (any Selected)?
    /// The number of the selection, in increasing order.
    let number: Int
    /// The step in which the value changed, or 0 if there is none yet.
    var step: UInt64 = 0
  }

  /// The number of selections, some of which may be gone.
  var count: Int { state.withLock { $0.selections.count } }

  /// The number of graphs that follow, some of which may be gone.
  var followerCount: Int { state.withLock { $0.followers.count } }

  deinit {
    let id = ObjectIdentifier(self)
    for follower in state.withLock({ $0.followers }) { follower.withGraph { $0.forget(source: id) } }
  }

  /// Adds a selection, whose first value a call of `select(from:at:)` selects.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - follow: A closure that makes commits call `select(from:at:)`, until its result is called.
  func add(_ selection: any Selected, follow: () -> @Sendable () -> Void) {
    let (mustFollow, mustSearch) = state.withLock { state in
      state.lastNumber += 1
      state.selections.append(Entry(selection: selection, number: state.lastNumber))
      return (state.stop == nil, state.selections.count >= state.countToSearch)
    }
    if mustFollow {
      let stop = follow()
      let unneeded = state.withLock { state -> (@Sendable () -> Void)? in
        if state.stop != nil { return stop }
        state.stop = stop
        return nil
      }
      unneeded?()
    }
    if mustSearch { removeDead() }
  }

  /// Gives the selections the values of a commit, and the graphs that follow them the values that have changed.
  ///
  /// Called in the committing turn, and by threads that add selections. They may be faster than the committing task.
  func select(from committed: AnyPublished, at revision: UInt64) {
    var hasDead = false
    while true {
      let (known, entries, step) = state.withLock { ($0.revision, $0.selections, $0.step) }
      if let known, known > revision { break }
      var changes: [Change] = []
      for entry in entries {
        // A selection whose value is from this commit has it already.
        if known == revision, entry.step != 0 { continue }
        guard let selection = entry.selection else {
          hasDead = true
          continue
        }
        if let value = selection.change(in: committed) {
          changes.append(Change(selection: selection, number: entry.number, value: value))
        }
      }
      if let followers = take(changes, at: revision, ifAt: known, step) {
        // Without changes, the graphs are up to date, or another thread updates them.
        if !changes.isEmpty || known == revision {
          let values = changes.map { ($0.selection as AnyAtomDefinition, $0.value) }
          update(followers, last: changes.isEmpty ? nil : Selections(step: step + 1, values: values))
        }
        return hasDead ? removeDead() : ()
      }
    }
    update(state.withLock { $0.followers })
    if hasDead { removeDead() }
  }

  private struct Change {
    let selection: any Selected
    let number: Int
    let value: AnyPublished
  }

  /// Makes values the newest ones, and returns the graphs that follow, or `nil` if another thread has been faster.
  private func take(
    _ changes: [Change], at revision: UInt64, ifAt known: UInt64?, _ step: UInt64
  ) -> [GraphReference]? {
    SimulationHooks.ofThread?.touch(self)
    var former: [AnyPublished?] = []
    return state.withLock { state in
      guard state.revision == known, state.step == step else { return nil }
      state.revision = revision
      if changes.isEmpty { return state.followers }
      state.step += 1
      var next = 0
      // The changes are in the order of the entries.
      for index in state.selections.indices {
        guard next < changes.count else { break }
        guard state.selections[index].number == changes[next].number else { continue }
        former.append(changes[next].selection.take(changes[next].value))
        state.selections[index].step = state.step
        next += 1
      }
      return state.followers
    }
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
      for entry in state.selections where entry.step > step ?? 0 {
        guard let selection = entry.selection, let value = selection.newest else { continue }
        selections.values.append((selection, value))
      }
      return selections
    }
  }

  /// Removes the selections that are gone: constant time for each added one, on average.
  private func removeDead() {
    let (stop, living) = state.withLock { state -> ((@Sendable () -> Void)?, [any Selected]) in
      // The caller releases the selections without the lock.
      let living = state.selections.compactMap { $0.selection }
      state.selections.removeAll { $0.selection == nil }
      state.countToSearch = max(16, 2 * living.count)
      return (living.isEmpty ? state.stop.take() : nil, living)
    }
    stop?()
    withExtendedLifetime(living) {}
  }
}
