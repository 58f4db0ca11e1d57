import ActorStore
import Synchronization

/// The memory of one atom's value in one graph.
///
/// A reader without the graph's lock may use the value at a revision if the stamps allow it. A writer holds the graph's
/// lock, so a reader with that lock needs no other lock. Only a direct set of an open source (see `DirectSets`) holds
/// just the cell's lock. A reader with the graph's lock never meets one, because its section has closed all sources.
///
/// For other readers, a writer with the graph's lock also holds the cell's lock, or it uses a sequence lock if the
/// values are numbers: it makes the sequence odd while it writes. A reader that finds the same even number before and
/// after it has read has read a value and stamps that belong together. So reading a number writes nothing to memory
/// that threads share. A direct set of a number writes one word and no stamps, so it does not change the sequence.
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
  /// The size in bytes if the values are numbers of the standard library, or 0.
  ///
  /// A comparison of numbers runs no user code.
  final let numberSize: UInt8
  /// Whether the values are numbers that differ if and only if their bits do.
  final let comparesBits: Bool
  private let lock = Locked(())
  /// An odd number while a writer changes a number or its stamps.
  private let sequence = Atomic<UInt32>(0)
  // A direct set of a number writes `lock`, `readerOrSetCount`, and `word`. They are next to each other, so that two
  // threads that set the numbers of neighboring cells do not write to one cache line (HP26).

  /// The highest number of a derivation that has noted its read.
  ///
  /// In an open source, it is `openBit` plus the number of direct sets. These can share a property, because no
  /// derivation notes a read of an open source, whose value is newer than all pinned revisions. Opening a source takes
  /// the graph's lock, a direct set takes the cell's lock, and closing takes both.
  private let readerOrSetCount = Atomic<UInt64>(0)
  /// The bits of a number.
  ///
  /// For other values, the address of the `Equality` object, or 0 if there is none.
  private let word: Atomic<UInt64>
  /// The watchers, which the graph retains.
  ///
  /// The graph's lock protects this reference.
  final var watch: Unretained<Watch>?
  @safe unowned(unsafe) final let definition: AnyAtomDefinition
  /// Whether the atom has hidden atoms.
  ///
  /// Unlike a read through `definition`, this does not retain the definition.
  final var hasHiddenAtoms: Bool { Unretained(definition).with { $0.hasHiddenAtoms } }
  private let stamps = ValueStamps()

  init(_ definition: AnyAtomDefinition, _ equality: Equality?, isSource: Bool, size: Int) {
    let hasNumbers = equality?.isOfNumbers ?? false
    self.definition = definition
    numberSize = hasNumbers ? UInt8(size) : 0
    comparesBits = equality?.comparesBits ?? false
    word = Atomic(hasNumbers ? 0 : equality.map { UInt64(Unretained($0).address) } ?? 0)
    self.isSource = isSource
    hasValue = isSource
  }

  final var hasNumbers: Bool { numberSize != 0 }

  /// The object that compares values, or `nil` for numbers and for values that cannot be compared on any thread.
  ///
  /// It is never released.
  final var equality: Unretained<Equality>? {
    hasNumbers ? nil : Unretained(address: UInt(truncatingIfNeeded: word.load(ordering: .relaxed)))
  }

  /// Connects a new cell with its node, before any reader can find it.
  final func join(_ node: NodeID, _ validity: Validity) {
    self.node = node
    if isSource { stamps.set(validity) }
  }

  /// Notes the graph that holds the cell.
  func note(_ graph: Graph) {}

  // MARK: Reading

  /// Copies the value to uninitialized memory and returns its stamp, or returns `nil` if the value is not valid at a
  /// revision or a thread writes it.
  ///
  /// If another thread is copying the value at the same time, and it is not a number, the result is also `nil`.
  @inline(__always)  // HP13
  final func copyIfValid(at revision: Revision, to destination: ValueSlot) -> ValueStamp? {
    // Usually, this check is enough to reject an invalid value.
    if stamps.isDirty(at: revision) { return nil }
    if hasNumbers { return copyNumberIfValid(at: revision, to: destination) }
    return lock.withLockIfAvailable { _ -> ValueStamp? in
      guard let stamp = stamps.stamp(at: revision) else { return nil }
      copyValue(to: destination)
      return stamp
    } ?? nil
  }

  @inline(__always)  // HP20
  private func copyNumberIfValid(at revision: Revision, to destination: ValueSlot) -> ValueStamp? {
    let before = sequence.load(ordering: .acquiring)
    let (stamp, number) = (stamps.stamp(at: revision), word.load(ordering: .sequentiallyConsistent))
    atomicMemoryFence(ordering: .acquiring)
    guard before & 1 == 0, let stamp, sequence.load(ordering: .relaxed) == before else { return nil }
    destination.setNumber(number, size: numberSize)
    return stamp
  }

  /// Copies the value, which the graph considers valid.
  ///
  /// Called under the graph's lock. Readers without the lock may use the value from now on.
  final func copy(_ validity: Validity, to destination: ValueSlot) {
    keepValue(validity)
    copy(to: destination)
  }

  /// Copies the value under the graph's lock.
  @inline(__always)  // HP20
  final func copy(to destination: ValueSlot) {
    if hasNumbers { destination.setNumber(knownNumber, size: numberSize) } else { copyValue(to: destination) }
  }

  /// Notes a read by a derivation, and returns whether it has already noted one.
  ///
  /// If a derivation with a higher number has noted a read, the result is unknown.
  final func noteReader(_ number: UInt64) -> Repetition {
    let last = readerOrSetCount.load(ordering: .relaxed)
    if last == number { return .repeated }
    if last > number { return .unknown }
    // With a plain write, a derivation with a lower number could overwrite a higher number.
    let isNoted = readerOrSetCount.compareExchange(expected: last, desired: number, ordering: .relaxed).exchanged
    return isNoted ? .first : .unknown
  }

  typealias Repetition = EvaluationStateMachine<AnyPublished>.Repetition

  // MARK: Writing, under the graph's lock

  /// Makes the value invalid from a revision that is not visible yet.
  @inline(__always)  // HP13
  final func invalidate(at revision: Revision) { stamps.invalidate(at: revision) }

  /// Runs a closure that writes the value or its stamps, while no reader without the graph's lock can succeed.
  ///
  /// The source is not open, because a direct set of a number does not touch the sequence.
  @inline(__always)  // HP20
  private func change<Result: Sendable>(_ body: () -> Result) -> Result {
    if !hasNumbers { return lock.withLock { _ in body() } }
    let before = sequence.load(ordering: .relaxed)
    sequence.store(before &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    defer { sequence.store(before &+ 2, ordering: .releasing) }
    return body()
  }

  /// The bits of a number, which only the graph's lock holder or the only possible writer may access.
  @inline(__always)  // HP20
  final var knownNumber: UInt64 {
    get { word.load(ordering: .relaxed) }
    set { word.store(newValue, ordering: .relaxed) }
  }

  /// Exchanges the value with a value in memory.
  ///
  /// Returns `false` if the caller must not release the memory afterward, because there was no former value or it was a
  /// number.
  @inline(__always)  // HP20
  final func exchange(_ validity: Validity, with value: ValueSlot) -> Bool {
    if !hasNumbers { return exchangeOther(validity, with: value) }
    let new = value.number(size: numberSize)
    change {
      stamps.set(validity)
      knownNumber = new
    }
    hasValue = true
    return false
  }

  @inline(never)  // HP20
  private final func exchangeOther(_ validity: Validity, with value: ValueSlot) -> Bool {
    change {
      stamps.set(validity)
      return exchangeValue(with: value)
    }
  }

  /// Makes the value of a box the value, and returns the former one.
  final func replace(_ validity: Validity, with box: AnyPublished) -> AnyPublished? {
    change {
      stamps.set(validity)
      return replaceValue(with: box)
    }
  }

  /// Makes the next reader without the graph's lock take the lock.
  final func refuseReaders() { change { stamps.refuseReaders() } }

  /// Updates the stamps of a value that stays.
  @inline(__always)  // HP20
  final func keepValue(_ validity: Validity) { change { stamps.set(validity) } }

  /// Removes the value, and returns it unless it is a number, which needs no release.
  final func takeValue() -> AnyPublished? {
    if hasNumbers {
      hasValue = false
      change { stamps.refuseReaders() }
      return nil
    }
    return change {
      stamps.refuseReaders()
      return takePayload()
    }
  }

  // MARK: Direct sets

  private static var openBit: UInt64 { 1 << 63 }

  /// Whether the source is open, so that threads may set it directly.
  ///
  /// Without a lock, the result may already be out of date.
  @inline(__always)  // HP26
  final var isOpen: Bool { readerOrSetCount.load(ordering: .relaxed) >= Self.openBit }

  /// The revision from which the value is valid.
  @inline(__always)  // HP26
  final var firstRevision: Revision { stamps.firstRevision }

  /// Exchanges the value of an open source with a value in memory, without the graph's lock.
  ///
  /// Afterward, the memory holds a value to release, unless the values are numbers. Returns `false`, changing nothing,
  /// if the source is not open or another thread holds the cell's lock.
  @inline(__always)  // HP26
  final func setDirectly(_ new: ValueSlot) -> Bool { isOpen && setIfOpen(new) }

  /// Does what `setDirectly` does after its first look.
  @inline(__always)  // HP26
  final func setIfOpen(_ new: ValueSlot) -> Bool {
    lock.withLockIfAvailable { _ in
      // Another thread may have closed the source a moment ago.
      let count = readerOrSetCount.load(ordering: .acquiring)
      if count < Self.openBit { return false }
      if hasNumbers {
        // A weaker ordering would break A1 and A2 in two ways: Two threads could see the sets of two atoms in different
        // orders. And if each of two threads sets one atom and then reads the other atom, both could read old values.
        // Between a direct set and one under the graph's lock, x86 and ARM64 keep the order anyway.
        word.store(new.number(size: numberSize), ordering: .sequentiallyConsistent)
      } else {
        _ = exchangeValue(with: new)
      }
      readerOrSetCount.store(count &+ 1, ordering: .relaxed)
      return true
    } ?? false
  }

  /// Lets threads set the source directly.
  ///
  /// Called under the graph's lock.
  @inline(__always)  // HP26
  final func open() { readerOrSetCount.store(Self.openBit, ordering: .releasing) }

  /// Closes the source, and returns the number of direct sets.
  ///
  /// Called under the graph's lock. If another thread is setting the source, waits for it.
  ///
  /// - Parameter number: A number that is greater than those of all running derivations. These no longer know whether
  ///   they have noted a read.
  @inline(__always)  // HP26
  final func close(_ number: UInt64) -> UInt64 {
    lock.withLock { _ in
      let count = readerOrSetCount.load(ordering: .relaxed)
      readerOrSetCount.store(number, ordering: .relaxed)
      return count - Self.openBit
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

  /// A copy of the value, which must exist, in a box of the same type as another box.
  ///
  /// This saves a type lookup.
  func makeBox(like other: AnyPublished) -> AnyPublished { abstract() }

  /// A copy of a value in memory.
  func makeBox(of value: ValueSlot) -> AnyPublished { abstract() }

  /// Copies the value of a box to uninitialized memory.
  func copyValue(of box: AnyPublished, to destination: ValueSlot) { abstract() }

  /// Whether values can be compared.
  ///
  /// Otherwise, no value is equal to another one.
  final var isComparable: Bool { hasNumbers || equality != nil }

  /// Compares the values of two boxes.
  ///
  /// Called without a lock.
  func isEqual(_ one: AnyPublished, _ other: AnyPublished) -> Bool { abstract() }

  /// Compares the value of a box with a value in memory.
  ///
  /// Called without a lock.
  func isEqual(_ one: AnyPublished, to value: ValueSlot) -> Bool { abstract() }

  /// Compares the value, which is not a number, with a value in memory.
  ///
  /// Called by the only possible writer, without a lock.
  func isEqual(to value: ValueSlot) -> Bool { abstract() }

  /// The value of a box, for inspection.
  func anyValue(of box: AnyPublished) -> any Sendable { abstract() }

  /// Runs the closure of a derived atom and passes the result to the evaluation.
  ///
  /// Called without a lock.
  func compute(in evaluation: Evaluation) { abstract() }

  private final func abstract() -> Never {
    preconditionFailure("Atoms: an abstract method was called. This is a bug in Atoms.")
  }
}

extension GraphStateMachine<AnyPublished>.Found {
  /// The value, or a copy of the one in a cell.
  func box(in cell: Cell) -> AnyPublished { if case .kept(_, let value) = self { value } else { cell.knownBox } }
}
