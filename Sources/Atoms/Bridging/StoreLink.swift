import ActorStore
import AtomThread

/// What a `Store` keeps for the atoms that select from its state.
///
/// It does not hold the store.
final class StoreLink<State: Sendable>: Sendable {
  private let state = Locked(LinkState())

  private struct LinkState: Sendable {
    var selections: [Weak] = []
    /// Ends the calls for commits, or `nil` if there are none.
    var stop: (@Sendable () -> Void)?
    /// The family of the atoms with each type of value.
    var families: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  private struct Weak: Sendable {
    weak var object: (any Selected<State>)?
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

  /// Adds a selection, and selects its first value.
  func add(_ selection: some Selected<State>, of store: Store<State>) {
    // From here on, commits reach the selection, so the state that is read below is not too old.
    let mustFollow = state.withLock { state in
      state.selections.append(Weak(object: selection))
      return state.stop == nil
    }
    if mustFollow { follow(store) }
    selection.begin(with: readState(of: store))
  }

  private func follow(_ store: Store<State>) {
    let stop = store.onCommit { [weak self] state in self?.commit(state) }
    let unneeded = state.withLock { state -> (@Sendable () -> Void)? in
      if state.stop != nil { return stop }
      state.stop = stop
      return nil
    }
    unneeded?()
  }

  /// The committed state, for which the call waits while a mutation on another thread edits it in place.
  private func readState(of store: Store<State>) -> State {
    var attempts = 0
    while true {
      if let state = store.readableState { return state }
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

  /// Gives the selections the values of a commit, in one revision of each graph.
  ///
  /// Called in the committing turn.
  private func commit(_ committed: State) {
    var hasDead = false
    var changes: [(handle: GraphHandle, values: [(AnyAtomDefinition, AnyPublished)])] = []
    for weak in state.withLock({ $0.selections }) {
      guard let selection = weak.object else {
        hasDead = true
        continue
      }
      guard let value = selection.commit(committed) else { continue }
      for handle in selection.handles {
        if let index = changes.firstIndex(where: { $0.handle === handle }) {
          changes[index].values.append((selection, value))
        } else {
          changes.append((handle, [(selection, value)]))
        }
      }
    }
    for change in changes { change.handle.graph.setSelections(change.values) }
    if hasDead { removeDead() }
  }

  private func removeDead() {
    let (stop, objects) = state.withLock { state -> ((@Sendable () -> Void)?, [any Selected<State>]) in
      // The caller releases the objects without the lock.
      let objects = state.selections.compactMap { $0.object }
      state.selections = objects.map { Weak(object: $0) }
      if !objects.isEmpty { return (nil, objects) }
      return (state.stop.take(), objects)
    }
    stop?()
    withExtendedLifetime(objects) {}
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
