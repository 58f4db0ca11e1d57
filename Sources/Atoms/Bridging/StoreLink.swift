import ActorStore
import AtomThread

/// What a `Store` keeps for the atoms that select from its state.
///
/// It does not hold the store. All selections have values of the same commit. Graphs that follow take them in one step.
final class StoreLink<State: Sendable>: SelectionSource {
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
    /// The family of the atoms with each type of value.
    var families: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  private struct Entry: Sendable {
    weak var selection: (any Selected<State>)?
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

  /// The family of the atoms that read a value at a key path.
  func family<Value: Sendable>(
    _ make: () -> AtomFamily<SelectionPath<State, Value>, DerivedAtom<Value>>
  ) -> AtomFamily<SelectionPath<State, Value>, DerivedAtom<Value>> {
    let key = ObjectIdentifier(Value.self)
    typealias Family = AtomFamily<SelectionPath<State, Value>, DerivedAtom<Value>>
    if let known = state.withLock({ $0.families[key] }) as? Family { return known }
    let new = make()
    return state.withLock { state in
      if let known = state.families[key] as? Family { return known }
      state.families[key] = new
      return new
    }
  }

  // MARK: Selecting

  /// Adds a selection, and selects its first value.
  func add(_ selection: some Selected<State>, of store: Store<State>) {
    let (mustFollow, mustSearch) = state.withLock { state in
      state.lastNumber += 1
      state.selections.append(Entry(selection: selection, number: state.lastNumber))
      return (state.stop == nil, state.selections.count >= state.countToSearch)
    }
    // From here on, commits reach the selection, so the state that is read below is not too old.
    if mustFollow { follow(store) }
    if mustSearch { removeDead() }
    while selection.newest == nil {
      let (state, revision) = read(store)
      select(from: state, at: revision)
    }
  }

  private func follow(_ store: Store<State>) {
    let stop = store.onCommit { [weak self] state, revision in self?.select(from: state, at: revision) }
    let unneeded = state.withLock { state -> (@Sendable () -> Void)? in
      if state.stop != nil { return stop }
      state.stop = stop
      return nil
    }
    unneeded?()
  }

  /// The committed state, for which the call waits while a mutation on another thread edits it in place.
  private func read(_ store: Store<State>) -> (state: State, revision: UInt64) {
    var attempts = 0
    while true {
      if let readable = store.readable { return readable }
      attempts += 1
      if attempts == 1_000_000 {
        writeLineToStandardError(
          """
          Atoms: the first atom of a part of \(store.name) waits for a mutation that edits the state in place. If that \
          mutation makes the atom itself, it waits forever. Make the atom before.
          """)
      }
      atom_thread_yield()
    }
  }

  /// Gives the selections the values of a commit, and the graphs that follow them the values that have changed.
  ///
  /// Called in the committing turn, and by threads that add selections. They may be faster than the committing task.
  func select(from committed: State, at revision: UInt64) {
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
      if take(changes, at: revision, ifAt: known, step) {
        // Nothing is new for the graphs, and what was new before, another thread has given them.
        if changes.isEmpty, known != revision { return hasDead ? removeDead() : () }
        break
      }
    }
    updateFollowers()
    if hasDead { removeDead() }
  }

  private struct Change {
    let selection: any Selected<State>
    let number: Int
    let value: AnyPublished
  }

  /// Makes values the newest ones, or returns `false` if another thread has been faster.
  private func take(_ changes: [Change], at revision: UInt64, ifAt known: UInt64?, _ step: UInt64) -> Bool {
    var former: [AnyPublished?] = []
    return state.withLock { state in
      guard state.revision == known, state.step == step else { return false }
      state.revision = revision
      if changes.isEmpty { return true }
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
      return true
    }
  }

  private func updateFollowers() {
    var gone: Set<ObjectIdentifier> = []
    for follower in state.withLock({ $0.followers }) {
      if !follower.withGraph({ $0.update(from: self) }) { gone.insert(ObjectIdentifier(follower)) }
    }
    if !gone.isEmpty { state.withLock { $0.followers.removeAll { gone.contains(ObjectIdentifier($0)) } } }
  }

  func values(after step: UInt64?, for graph: GraphReference) -> Selections {
    state.withLock { state in
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
    let (stop, living) = state.withLock { state -> ((@Sendable () -> Void)?, [any Selected<State>]) in
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

/// A key path of a state, by which atoms are shared.
struct SelectionPath<State: Sendable, Value: Sendable>: Hashable, Sendable {
  let path: any KeyPath<State, Value> & Sendable

  static func == (one: SelectionPath, other: SelectionPath) -> Bool {
    one.path as AnyKeyPath == other.path as AnyKeyPath
  }

  func hash(into hasher: inout Hasher) { hasher.combine(path as AnyKeyPath) }
}
