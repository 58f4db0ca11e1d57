/// An atom in a store, as wrappers and bindings refer to it.
@usableFromInline
struct AtomReference<Value: Sendable>: Sendable {
  let definition: AtomDefinition<Value>
  private let owner: ReferenceOwner
  /// The atom whose value follows later, or `nil` if `definition` is read.
  private let paced: AtomDefinition<Value>?
  /// How much later the value follows.
  private let pace: Pace?

  /// The atom that is read.
  var followed: AtomDefinition<Value> { paced ?? definition }

  /// The store, or an empty replacement if the store of the run is gone.
  var store: AtomStore {
    switch owner {
    case .use(let use): use.store
    case .store(let store): store
    case .run(let graph): AtomStore(graph.handleOrReplacement)
    }
  }

  /// Refers to an atom in the current store.
  ///
  /// In a derivation, a snapshot, a transaction, or a run, the reference does not count as a use of the atom. For
  /// example, a setter's closure must not end the use of an atom that it has set.
  ///
  /// - Parameters:
  ///   - definition: The atom.
  ///   - pace: How much later reads follow the value. In a run, all changes of the atom count later instead.
  init(_ definition: AtomDefinition<Value>, _ pace: Pace? = nil) {
    self.definition = definition
    self.pace = pace
    if let run = AnyRun.current {
      owner = .run(run.graph)
      paced = nil
      return
    }
    paced = pace == nil ? nil : PacedDefinition.of(definition, pace)
    owner = CurrentThread.isEvaluating ? .store(.current) : .use(AtomUse(of: paced ?? definition))
  }

  @inlinable
  var value: Value { ValueSlot.value(Value.self) { read(to: $0) } }

  /// Copies the value to uninitialized memory.
  @usableFromInline
  func read(to destination: ValueSlot) {
    if pace == nil, case .use(let use) = owner { return use.read(definition, to: destination) }
    let store = store
    if let pace, let run = AnyRun.current(in: store.core) {
      return store.withCore { run.read(definition, in: $0, to: destination, pace) }
    }
    store.read(followed, to: destination)
  }

  /// The value as a read that is no dependency.
  var capturedValue: Value {
    let store = store
    guard let evaluation = Evaluation.current(in: store.core) else {
      guard let run = AnyRun.current(in: store.core) else { return value }
      return store.withCore { core in
        ValueSlot.value(Value.self) { run.read(definition, in: core, to: $0, isTracking: false) }
      }
    }
    return ValueSlot.value(Value.self) { slot in evaluation.run { evaluation.capture(definition, to: slot) } }
  }

  var values: AsyncStream<Value> { store.values(of: definition) }

  func observe(_ body: @escaping @Sendable (Value) -> Void) -> AtomObservation {
    store.observe(DerivedAtom(definition: definition), body)
  }

  @usableFromInline
  func set(_ value: Value) { ValueSlot.with(value) { store.write(definition, to: $0) } }

  /// Changes the value as one step, unless the closure returns `false`.
  func update(_ body: (inout Value) -> Bool) -> Bool {
    let store = store
    return store.transaction {
      var value = store.value(of: definition)
      if !body(&value) { return false }
      ValueSlot.with(value) { store.write(definition, to: $0) }
      return true
    }
  }
}

/// The store of an atom reference.
///
/// It is not nested in the generic struct, because copying a generic enum can require a type lookup.
private enum ReferenceOwner: Sendable {
  /// The store, and the use of the atom there, which ends with the last copy of the reference.
  case use(AtomUse)
  case store(AtomStore)
  /// The store of a run, which the wrappers of the run do not keep alive while the run waits.
  case run(GraphReference)
}

/// A use of an atom in a store, which ends with the last reference to this object, wherever that goes.
private final class AtomUse: Sendable {
  private let definition: AnyAtomDefinition
  /// The store that the task had selected when the use began, or `nil` for the shared store.
  private let selected: GraphHandle?
  /// The graph of the store, which `selected` keeps alive, or the shared graph, which always exists.
  ///
  /// It is stored because the handle of a store is slow to retain.
  private let graph: Unretained<Graph>

  /// Begins a use in the current store.
  ///
  /// The caller is outside evaluations.
  init(of definition: AnyAtomDefinition) {
    self.definition = definition
    selected = SelectedGraph.selected
    graph = selected.map { Unretained($0.graph) } ?? SelectedGraph.sharedGraph
    graph.with { $0.beginUse(of: definition) }
  }

  var store: AtomStore { AtomStore(selected ?? SelectedGraph.shared) }

  deinit { graph.with { $0.endUse(of: definition) } }

  func read(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    graph.with { AtomStore.read(definition, in: $0, to: destination) }
  }
}
