import ActorStore
import AtomThread
import Synchronization

/// The values of atoms.
///
/// An atom only names a piece of state. A store has a value for each atom that was read or set in it. Most programs use
/// ``shared``, which is the current store unless a task selects another one with `callAsCurrent`.
///
/// Any thread may call any method at any time, and none waits for another caller's closure. See <doc:AtomPromises>.
///
/// A store is a reference: copies share the same values. The values go with the last copy.
public struct AtomStore: Sendable {
  let handle: GraphHandle
  var core: Graph { handle.graph }

  /// The store that is current unless a task selects another one.
  public static let shared = AtomStore()

  /// The graph of `shared`, which always exists.
  private static let sharedGraph = unsafe Unmanaged.passUnretained(shared.core)

  /// Whether any task has ever selected a store, so that a task-local must be read.
  private static let isSelected = Atomic(false)

  @TaskLocal static var ofTask: AtomStore?

  /// Creates a store without values.
  public init() {
    handle = GraphHandle(Graph(ProblemHandler(ProblemHandler.standard)))
  }

  init(_ graph: Graph) {
    handle = graph.reference.handle ?? GraphHandle(graph)
  }

  /// The store of the running derivation or transaction, or else the one that the task selected, or else ``shared``.
  ///
  /// Child tasks and `Task {}` inherit the selection. `Task.detached` has ``shared``.
  public static var current: AtomStore {
    Evaluation.current.map { AtomStore($0.graph) } ?? ofTask ?? shared
  }

  /// Makes this store the current one while a closure runs, and in the tasks that it creates.
  ///
  /// Inside the closure of a derived atom, reads of another store do not become dependencies.
  ///
  /// - Parameter body: The closure to run.
  /// - Returns: The closure's result.
  public func callAsCurrent<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    Self.isSelected.store(true, ordering: .relaxed)
    let outer = Evaluation.current
    let core = core
    return try withCurrent { () throws(Failure) -> Result in
      outer?.graph === core ? try body() : try Evaluation.run(nil, body)
    }
  }

  /// Makes this store the current one while an asynchronous closure runs, and in the tasks that it creates.
  ///
  /// - Parameter body: The closure to run.
  /// - Returns: The closure's result.
  public nonisolated(nonsending) func callAsCurrent<Result, Failure: Error>(
    _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    Self.isSelected.store(true, ordering: .relaxed)
    let result: Swift.Result<Result, Failure> = await Self.$ofTask.withValue(self) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs a callback, in which this store is the current one.
  func callAsTaskStore(_ body: () -> Void) {
    let isCurrent = Self.isSelected.load(ordering: .relaxed) ? (Self.ofTask ?? .shared) == self : self == .shared
    if isCurrent { return body() }
    Self.isSelected.store(true, ordering: .relaxed)
    withCurrent(body)
  }

  private func withCurrent<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = Self.$ofTask.withValue(self) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// The closure that hears of mistakes in the use of atoms.
  ///
  /// The default traps in a debug build and otherwise writes the message to standard error. The store calls the closure
  /// without a lock, in the thread that made the mistake.
  public var onProblem: @Sendable (AtomProblem) -> Void {
    get { core.problems.handler }
    nonmutating set { core.problems.handler = newValue }
  }
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
    if MemoryLayout<Value>.size <= 128, MemoryLayout<Value>.alignment <= 16,
      let address = unsafe readCurrentIfClean(definition)
    {
      return unsafe address.assumingMemoryBound(to: Value.self).move()
    }
    return computedValue(of: definition)
  }

  @inlinable
  @inline(never)  // HP14
  static func computedValue<Value>(of definition: AtomDefinition<Value>) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let address = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe readCurrent(definition, to: UnsafeMutableRawPointer(address))
      return unsafe address.move()
    }
  }

  /// The value that an atom has here.
  @inlinable
  func value<Value>(of definition: AtomDefinition<Value>) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let address = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe read(definition, to: UnsafeMutableRawPointer(address))
      return unsafe address.move()
    }
  }

  /// Copies the value that an atom has in the current store to memory of the thread, if it is up to date.
  ///
  /// The caller moves the value away at once. Unspecialized code would need much longer to allocate memory on the stack.
  @usableFromInline
  static func readCurrentIfClean(_ definition: AnyAtomDefinition) -> UnsafeMutableRawPointer? {
    let thread = unsafe atom_thread_current()
    let memory = unsafe UnsafeMutableRawPointer(thread).advanced(by: valueOffset)
    if let evaluation = Evaluation.current {
      return unsafe evaluation.readIfClean(definition, to: memory) ? memory : nil
    }
    if isSelected.load(ordering: .relaxed), let store = ofTask {
      return unsafe store.core.readIfClean(definition, to: memory) ? memory : nil
    }
    // Retaining the graph would make all readers write to one place.
    return unsafe sharedGraph._withUnsafeGuaranteedRef { unsafe $0.readIfClean(definition, to: memory) } ? memory : nil
  }

  /// Copies the value that an atom has in the current store to uninitialized memory.
  @usableFromInline
  static func readCurrent(_ definition: AnyAtomDefinition, to destination: UnsafeMutableRawPointer) {
    if let evaluation = Evaluation.current {
      return unsafe evaluation.read(definition, to: destination)
    }
    let core = (ofTask ?? shared).core
    if unsafe !core.readIfClean(definition, to: destination) { unsafe core.read(definition, to: destination) }
  }

  /// Copies the value that an atom has here to uninitialized memory.
  @usableFromInline
  func read(_ definition: AnyAtomDefinition, to destination: UnsafeMutableRawPointer) {
    if let evaluation = Evaluation.current, evaluation.graph === core {
      unsafe evaluation.read(definition, to: destination)
    } else if unsafe !core.readIfClean(definition, to: destination) {
      unsafe core.read(definition, to: destination)
    }
  }

  private static let valueOffset = unsafe MemoryLayout<atom_thread>.offset(of: \.value).unsafelyUnwrapped

  /// Sets the value that an atom has in the current store to a value in memory.
  @usableFromInline
  static func writeCurrent(_ definition: AnyAtomDefinition, to value: UnsafeMutableRawPointer) {
    if let evaluation = Evaluation.current {
      unsafe definition.write(in: evaluation.graph, value)
    } else if isSelected.load(ordering: .relaxed), let store = ofTask {
      unsafe definition.write(in: store.core, value)
    } else {
      unsafe sharedGraph._withUnsafeGuaranteedRef { unsafe definition.write(in: $0, value) }
    }
  }

  /// Sets the value that an atom has here to a value in memory.
  @usableFromInline
  func write(_ definition: AnyAtomDefinition, to value: UnsafeMutableRawPointer) {
    unsafe definition.write(in: core, value)
  }
}
