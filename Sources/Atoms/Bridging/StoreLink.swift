import ActorStore

/// The part of a `Store` for the atoms that select from its state.
///
/// It does not hold the store.
final class StoreLink<State: Sendable>: Sendable {
  let sender: StoreSender<State>
  /// The family of the atoms with each type of value.
  private let families = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  init(_ store: Store<State>) { sender = StoreSender(store) }

  /// The family of the atoms that read values of a type.
  func family<Value: Sendable>(
    _ make: () -> AtomFamily<SelectionParameter<State, Value>, DerivedAtom<Value>>
  ) -> AtomFamily<SelectionParameter<State, Value>, DerivedAtom<Value>> {
    let key = ObjectIdentifier(Value.self)
    typealias Family = AtomFamily<SelectionParameter<State, Value>, DerivedAtom<Value>>
    if let known = families.withLock({ $0[key] }) as? Family { return known }
    let new = make()
    return families.withLock { families in
      if let known = families[key] as? Family { return known }
      families[key] = new
      return new
    }
  }

  /// Begins to follow a selection, whose first value the call computes if no atom has it.
  ///
  /// Afterward, each graph that follows the store has the value.
  func follow(_ selected: SelectedDefinition<some Sendable>, of store: Store<State>) {
    if !selected.use.begin() { provideFirstValue(for: selected.use, of: store) }
  }

  /// Computes the first value of a selection, unless another thread is faster, and gives it to the graphs.
  func provideFirstValue(for use: SelectionUse, of store: Store<State>) {
    while use.value == nil {
      let (state, revision) = read(store)
      use.selections.compute(from: Published(state), at: revision)
    }
    // A faster thread may have yet to update the graphs. Without this update, the first read of the atom would update
    // its graph, perhaps in an evaluation that sees the previous commit. That evaluation would then mix two commits.
    use.selections.updateFollowers()
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
          mutation makes an atom of a store itself, it may wait forever. Make the atom beforehand.
          """)
      }
      Graph.yield()
    }
  }
}

/// A selection, by which atoms are shared.
struct SelectionParameter<State: Sendable, Value: Sendable>: Hashable, Sendable {
  let node: SelectionNode<State, Value>
  /// The call of `select`, for the label of an atom that the call creates.
  ///
  /// Comparisons ignore it.
  let callSite: CallSite

  static func == (one: SelectionParameter, other: SelectionParameter) -> Bool { one.node.matches(other.node) }

  func hash(into hasher: inout Hasher) { hasher.combine(node.hash) }
}
