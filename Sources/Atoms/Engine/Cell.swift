import ActorStore
import Synchronization

/// The memory of one atom's value in one graph.
///
/// A reader without the graph's lock may use the value at a revision if the stamps allow it. A writer holds both the
/// graph's lock and the cell's, so a reader needs one of them.
///
/// A change makes cells invalid before it makes its revision visible. A value becomes valid again only when it is
/// published, or when a reader with the graph's lock finds that the graph considers it valid.
class Cell: @unchecked Sendable {
  // Invariant: `definition` is used only under the graph's lock while the node is in the graph, or while the caller has
  // the atom. A definition removes its nodes under that lock before it goes.

  /// The node, which the graph assigns when it adds the cell.
  final var node = NodeID.none
  final let isSource: Bool
  final var hasValue: Bool
  /// Compares values, if they can be compared on any thread.
  ///
  /// It is never released, unlike the definition.
  final let equality: Unretained<Equality>?
  /// Whether the values are numbers of the standard library, whose comparison runs no user code.
  final let hasNumbers: Bool
  @safe unowned(unsafe) final let definition: AnyAtomDefinition
  private let stamps: Locked<Stamps>
  private let dirtyAt: Atomic<Revision>

  typealias Repetition = EvaluationStateMachine<AnyPublished>.Repetition

  private struct Stamps: Sendable {
    var version: Version = 0
    var validFrom: Revision = 0
    /// The highest number of a derivation that has read the value, so that its second read adds no second edge.
    var reader: UInt64 = 0

    @inline(__always)  // HP13
    mutating func noteReader(_ number: UInt64) -> Repetition {
      if reader == number { return .repeated }
      if reader > number { return .unknown }
      reader = number
      return .first
    }

    @inline(__always)  // HP13
    mutating func set(_ validity: Validity) {
      validFrom = validity.validFrom
      version = validity.version
    }
  }

  init(_ definition: AnyAtomDefinition, isSource: Bool) {
    self.definition = definition
    let equality = definition.equality
    self.equality = equality.map { Unretained($0) }
    hasNumbers = equality?.isOfNumbers ?? false
    self.isSource = isSource
    hasValue = isSource
    stamps = Locked(Stamps())
    dirtyAt = Atomic(0)
  }

  /// Connects a new cell with its node, before any reader can find it.
  final func join(_ node: NodeID, _ validity: Validity) {
    self.node = node
    guard isSource else { return }
    stamps.withLock { $0.set(validity) }
    dirtyAt.store(.never, ordering: .relaxed)
  }

  /// Notes the graph that holds the cell.
  func note(_ graph: Graph) {}

  // MARK: Reading

  /// Copies the value to uninitialized memory if it is valid at a revision and no thread holds the cell.
  @inline(__always)  // HP13
  final func copyIfValid(at revision: Revision, to destination: ValueSlot) -> Bool {
    // Usually, a value that is not valid can be recognized without the lock.
    if revision >= dirtyAt.load(ordering: .relaxed) { return false }
    return stamps.withLockIfAvailable { stamps in
      guard stamps.validFrom <= revision, revision < dirtyAt.load(ordering: .relaxed) else { return false }
      copyValue(to: destination)
      return true
    } ?? false
  }

  /// Copies the value for a derivation, or returns `nil` if it is not valid at a revision or a thread holds the cell.
  @inline(__always)  // HP13
  final func copyIfValid(
    at revision: Revision, to destination: ValueSlot, for reader: UInt64
  ) -> (stamp: ValueStamp, repetition: Repetition)? {
    if revision >= dirtyAt.load(ordering: .relaxed) { return nil }
    return stamps.withLockIfAvailable { stamps -> (stamp: ValueStamp, repetition: Repetition)? in
      guard stamps.validFrom <= revision, revision < dirtyAt.load(ordering: .relaxed) else { return nil }
      copyValue(to: destination)
      return (ValueStamp(version: stamps.version, validFrom: stamps.validFrom), stamps.noteReader(reader))
    } ?? nil
  }

  /// Copies the value, which the graph considers valid.
  ///
  /// Called under the graph's lock. Readers without the lock may use the value from now on.
  final func copy(_ validity: Validity, to destination: ValueSlot, for reader: UInt64) -> Repetition {
    stamps.withLock { stamps in
      stamps.validFrom = validity.validFrom
      stamps.version = validity.version
      dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
      copyValue(to: destination)
      return stamps.noteReader(reader)
    }
  }

  /// Returns whether a derivation has already read the value.
  final func noteReader(_ reader: UInt64) -> Repetition { stamps.withLock { $0.noteReader(reader) } }

  // MARK: Writing, under the graph's lock

  /// Makes the value invalid from a revision that is not visible yet.
  ///
  /// A cell that is already invalid keeps its earlier end, because nothing has verified the value since.
  @inline(__always)  // HP13
  final func invalidate(at revision: Revision) {
    if dirtyAt.load(ordering: .relaxed) == .never { dirtyAt.store(revision, ordering: .relaxed) }
  }

  /// Exchanges the value with a value in memory.
  ///
  /// Returns `false` if the memory is not initialized afterward, because there was no former value.
  final func exchange(_ validity: Validity, with value: ValueSlot) -> Bool {
    stamps.withLock { stamps in
      stamps.set(validity)
      dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
      return exchangeValue(with: value)
    }
  }

  /// Makes the value of a box the value, and returns the former one.
  final func replace(_ validity: Validity, with box: AnyPublished) -> AnyPublished? {
    stamps.withLock { stamps in
      stamps.set(validity)
      dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
      return replaceValue(with: box)
    }
  }

  /// Changes the value with a closure.
  final func write(_ validity: Validity, _ body: () -> Void) {
    stamps.withLock { stamps in
      stamps.set(validity)
      dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
      body()
    }
  }

  /// Makes readers without the graph's lock take it once.
  final func refuseReaders() { stamps.withLock { _ in dirtyAt.store(0, ordering: .relaxed) } }

  /// Updates the stamps of a value that stays.
  final func keepValue(_ validity: Validity) {
    stamps.withLock { $0.set(validity) }
    dirtyAt.store(validity.dirtyAt, ordering: .relaxed)
  }

  /// Removes the value, and returns it.
  final func takeValue() -> AnyPublished? {
    stamps.withLock { _ in
      dirtyAt.store(0, ordering: .relaxed)
      return takePayload()
    }
  }

  // MARK: Runs

  /// Whether a run sets the value.
  var isRun: Bool { false }

  /// The number of the result in a value of a cell with runs, or `nil` if it has none.
  func resultNumber(of value: AnyPublished) -> Version? { nil }

  /// Whether there is an unfinished run that may end by itself, under the graph's lock.
  var hasRunToEnd: Bool { false }

  /// Forgets the newest run, and returns it.
  ///
  /// Called under the graph's lock. The caller cancels the run without it.
  func takeRun() -> AnyRun? { nil }

  /// Forgets the tasks that wait for a result, and returns a closure that makes them look again.
  ///
  /// Called under the graph's lock. The caller calls the closure without it.
  func interruptWaiting(_ state: inout GraphState) -> (@Sendable () -> Void)? { nil }

  /// Makes a value that a transaction has set the newest one, and ends the run.
  ///
  /// Called under the graph's lock. The caller calls the result without it.
  func assign(
    _ new: AnyPublished, _ unseen: inout [AnyPublished], _ state: inout GraphState
  ) -> (@Sendable () -> Void)? { nil }

  /// Ends the waits for a result, because the graph is gone.
  func cancelWaiting() {}

  // MARK: Typed operations
  //
  // They are overrides without generic parameters of their own, so callers need no type metadata.

  func copyValue(to destination: ValueSlot) { abstract() }
  func exchangeValue(with value: ValueSlot) -> Bool { abstract() }
  func replaceValue(with box: AnyPublished) -> AnyPublished? { abstract() }
  func takePayload() -> AnyPublished? { abstract() }

  /// A copy of the value, or `nil` if there is none.
  func makeBox() -> AnyPublished? { abstract() }

  /// Whether the value is the result of a run, which a release replaces with loading, under the graph's lock.
  var hasResult: Bool { false }

  /// A copy of the value of a cell that has one.
  final var knownBox: AnyPublished {
    guard let box = makeBox() else { preconditionFailure("Atoms: a value is missing. This is a bug in Atoms.") }
    return box
  }

  /// A copy of a value in memory.
  func makeBox(of value: ValueSlot) -> AnyPublished { abstract() }

  /// Copies the value of a box to uninitialized memory.
  func copyValue(of box: AnyPublished, to destination: ValueSlot) { abstract() }

  /// Whether values can be compared.
  ///
  /// Otherwise, no value is equal to another one.
  final var isComparable: Bool { equality != nil }

  /// Compares the values of two boxes.
  ///
  /// Called without a lock.
  func isEqual(_ one: AnyPublished, _ other: AnyPublished) -> Bool { abstract() }

  /// Compares the value of a box with a value in memory.
  ///
  /// Called without a lock.
  func isEqual(_ one: AnyPublished, to value: ValueSlot) -> Bool { abstract() }

  /// Compares the value with a value in memory.
  ///
  /// Called by the only possible writer, without a lock unless the values are numbers.
  func isEqual(to value: ValueSlot) -> Bool { abstract() }

  /// The value of a box, for inspection.
  func anyValue(of box: AnyPublished) -> any Sendable { abstract() }

  /// Runs the closure of a derived atom and passes the result to the evaluation.
  ///
  /// Called without a lock.
  func compute(in evaluation: Evaluation) { abstract() }

  private final func abstract() -> Never { preconditionFailure("Atoms: an abstract method was called.") }
}

extension GraphStateMachine<AnyPublished>.Found {
  /// The value, or a copy of the one in a cell.
  func box(in cell: Cell) -> AnyPublished { if case .kept(_, let value) = self { value } else { cell.knownBox } }
}
