import ActorStore

/// The values of atoms.
///
/// An atom only names a piece of state. A store has a value for each atom that was read or set in it. Most programs use
/// ``shared``, which is the current store unless a task selects another one with `callAsCurrent`.
///
/// Any thread can call any method at any time, and no call waits for another caller's closure. See <doc:AtomPromises>.
///
/// A store is a reference: copies share the same values. The values are released with the last copy.
public struct AtomStore: Sendable {
  let handle: GraphHandle
  var core: Graph { handle.graph }

  /// The store that is current unless a task selects another one.
  public static let shared = AtomStore(SelectedGraph.shared)

  /// Calls a closure with the graph, whose owner stays alive meanwhile, because atoms find their graphs through it.
  func withCore<Result, Failure: Error>(_ body: (Graph) throws(Failure) -> Result) throws(Failure) -> Result {
    defer { withExtendedLifetime(handle) {} }
    return try body(core)
  }

  /// Creates a store without values.
  ///
  /// - Parameter clock: The clock of debounced and throttled reads, or `nil` for the clock of the simulation in which
  ///   the call is made. Outside a simulation, `nil` selects a `ContinuousClock`.
  public init(clock: (any Clock<Duration>)? = nil) {
    self.init(isRecording: false, clock: clock ?? SimulationHooks.current?.clock ?? ContinuousClock())
  }

  /// Creates a store that notes which values are read, or one that does not.
  init(isRecording: Bool, clock: any Clock<Duration>) {
    // Whether another test has already made an atom with an object must not change a simulated run.
    if SimulationHooks.current != nil { ObjectFollower.need() }
    let graph = Graph(ProblemHandler(ProblemHandler.standard), isRecording: isRecording, clock)
    SimulationHooks.ofThread?.created(graph)
    self.init(GraphHandle(graph))
  }

  init(_ handle: GraphHandle) { self.handle = handle }

  /// The store of the running derivation, snapshot, transaction, or callback.
  ///
  /// Otherwise, the store that the task selected, or ``shared`` if it selected none.
  ///
  /// Child tasks and `Task {}` inherit the selection. `Task.detached` has ``shared``.
  public static var current: AtomStore {
    AtomStore(Evaluation.current.map { .of($0.graph) } ?? SelectedGraph.selected ?? SelectedGraph.shared)
  }

  /// Makes this store the current one while a closure runs, and in the tasks that it creates.
  ///
  /// Inside the closure of another store's derived atom, reads do not become dependencies, and sets take effect.
  ///
  /// - Parameter body: The closure to run.
  /// - Returns: The closure's result.
  public func callAsCurrent<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try SelectedGraph.select(handle) { () throws(Failure) -> Result in
      if let evaluation = Evaluation.current(in: core) { return try evaluation.runAlone(body) }
      return try CurrentThread.runHidden(body)
    }
  }

  /// Makes this store the current one while an asynchronous closure runs, and in the tasks that it creates.
  ///
  /// - Parameter body: The closure to run.
  /// - Returns: The closure's result.
  public nonisolated(nonsending) func callAsCurrent<Result, Failure: Error>(
    _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await SelectedGraph.select(handle, body)
  }

  /// The closure that receives reports of mistakes in the use of atoms.
  ///
  /// The default traps in a debug build and otherwise writes the message to standard error. For a warning
  /// (``AtomProblem/isWarning``), it never traps, and it writes each distinct warning once per process. The store calls
  /// the closure without a lock, on the thread that detects the mistake.
  public var onProblem: @Sendable (AtomProblem) -> Void {
    get { core.problems.handler }
    nonmutating set { core.problems.handler = newValue }
  }

  /// Reports a problem outside the evaluation that notices it.
  func report(_ problem: AtomProblem) { Evaluation.outside { core.problems.report(problem) } }
}

extension AtomStore: Hashable {
  /// Whether both are the same store.
  public static func == (one: AtomStore, other: AtomStore) -> Bool { one.core === other.core }

  /// Hashes the identity of the store.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

extension AtomStore {
  /// The value that an atom has in the current store.
  @inlinable
  static func currentValue<Value>(of definition: AtomDefinition<Value>) -> Value {
    if isSmall(Value.self), let slot = readCurrentIfClean(definition) { return slot.move(as: Value.self) }
    return computedValue(of: definition)
  }

  /// Whether a value of a type fits in the memory that each thread has for one value.
  @inlinable
  static func isSmall<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= 128 && MemoryLayout<Value>.alignment <= 16
  }

  @inlinable
  @inline(never)  // HP14
  static func computedValue<Value>(of definition: AtomDefinition<Value>) -> Value {
    ValueSlot.value(Value.self) { slot in
      if !isSmall(Value.self), readCurrentIfClean(definition, to: slot) { return }
      readUncleanCurrent(definition, to: slot)
    }
  }

  /// The value that an atom has here.
  @inlinable
  func value<Value>(of definition: AtomDefinition<Value>) -> Value {
    ValueSlot.value(Value.self) { read(definition, to: $0) }
  }

  /// Copies the value that an atom has in the current store to memory of the thread, if it is up to date.
  ///
  /// The caller moves the value away at once. Unspecialized code would need much longer to allocate memory on the
  /// stack.
  @usableFromInline
  static func readCurrentIfClean(_ definition: AnyAtomDefinition) -> ValueSlot? {
    let slot = CurrentThread.valueSlot
    return readCurrentIfClean(definition, to: slot) ? slot : nil
  }

  /// Copies the value that an atom has in the current store to uninitialized memory, if it is up to date.
  @usableFromInline
  @inline(__always)  // HP14
  static func readCurrentIfClean(_ definition: AnyAtomDefinition, to destination: ValueSlot) -> Bool {
    if let evaluation = CurrentThread.unretainedEvaluation {
      return evaluation.with { $0.readIfClean(definition, to: destination) }
    }
    if let selection = SelectedGraph.selection {
      return selection.run == nil && readIfClean(definition, in: selection, to: destination)
    }
    // Retaining the graph would make all readers write to one place.
    return SelectedGraph.sharedGraph.with { $0.readIfClean(definition, to: destination) }
  }

  /// The case of a selected store, which is rare.
  @inline(never)  // HP13
  private static func readIfClean(
    _ definition: AnyAtomDefinition, in selection: TaskSelection, to destination: ValueSlot
  ) -> Bool {
    selection.withGraphOrReplacement { graph, _ in graph.readIfClean(definition, to: destination) }
  }

  /// Copies the value that an atom has in the current store to uninitialized memory.
  ///
  /// Called after `readCurrentIfClean` has failed.
  @usableFromInline
  static func readUncleanCurrent(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    if let evaluation = CurrentThread.unretainedEvaluation {
      evaluation.with { $0.readUnclean(definition, to: destination) }
    } else {
      readOutside(definition, to: destination)
    }
  }

  /// Copies a value that no derivation reads.
  ///
  /// It is apart because each nested derivation has a frame of the caller.
  @inline(never)  // HP13
  private static func readOutside(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    guard let selection = SelectedGraph.selection else {
      // Retaining the handle would take longer, because weak references refer to it.
      return SelectedGraph.sharedGraph.with { $0.read(definition, to: destination) }
    }
    selection.withGraphOrReplacement { graph, run in
      if let run, run.isCurrent(in: graph) {
        run.read(definition, in: graph, to: destination)
      } else {
        graph.read(definition, to: destination)
      }
    }
  }

  /// Copies the value that an atom has here to uninitialized memory.
  @usableFromInline
  func read(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    withCore { Self.read(definition, in: $0, to: destination) }
  }

  /// Copies the value that an atom has in a graph to uninitialized memory.
  ///
  /// The caller keeps the owner of the graph alive.
  static func read(_ definition: AnyAtomDefinition, in graph: Graph, to destination: ValueSlot) {
    if let evaluation = Evaluation.current(in: graph) {
      evaluation.run { evaluation.read(definition, to: destination) }
    } else if let run = AnyRun.current(in: graph) {
      run.read(definition, in: graph, to: destination)
    } else if !graph.readIfClean(definition, to: destination) {
      graph.read(definition, to: destination)
    }
  }

  /// Sets the value that an atom has in the current store to a value in memory.
  @usableFromInline
  static func writeCurrent(_ definition: AnyAtomDefinition, to value: ValueSlot) {
    if let evaluation = Evaluation.current {
      evaluation.graph.write(definition, value)
    } else if let selected = SelectedGraph.selected {
      defer { withExtendedLifetime(selected) {} }
      selected.graph.write(definition, value)
    } else {
      SelectedGraph.sharedGraph.with { $0.write(definition, value) }
    }
  }

  /// Sets the value that an atom has here to a value in memory.
  @usableFromInline
  func write(_ definition: AnyAtomDefinition, to value: ValueSlot) { withCore { $0.write(definition, value) } }
}
