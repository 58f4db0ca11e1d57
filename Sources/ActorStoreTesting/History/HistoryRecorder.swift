import ActorStore

/// Records the calls of a run, from any number of tasks or threads, for a ``WitnessedHistory``.
///
/// ```swift
/// let history = HistoryRecorder<Int>()
/// let call = history.called(7)
/// let outcome = await store.dispatch(Append(7))
/// history.returned(call, outcome.isCommitted ? .applied : .notApplied)
/// ```
public final class HistoryRecorder<ID: Hashable & Sendable>: Sendable {
  private struct Record {
    var moment = 0
    var operations: [WitnessedHistory<ID>.Operation] = []
    var observations: [Int: [OrderPrefix]] = [:]
  }

  /// A call that was recorded, to be given back when it has returned.
  public struct Call: Sendable {
    fileprivate let position: Int
  }

  private let record = Locked(Record())

  /// Nothing has been called.
  public init() {}

  /// Right before the call; the identity is its own, no other call has it.
  public func called(_ id: ID) -> Call {
    record.withLock { record in
      record.moment += 1
      record.operations.append(WitnessedHistory.Operation(id: id, called: record.moment))
      return Call(position: record.operations.count - 1)
    }
  }

  /// Right after the call has returned.
  public func returned(_ call: Call, _ effect: WitnessedHistory<ID>.Effect) {
    record.withLock { record in
      record.moment += 1
      // What takes effect later, or never, has no moment by which it has.
      record.operations[call.position].returned = effect == .unknown ? nil : record.moment
      record.operations[call.position].effect = effect
    }
  }

  /// What an observer saw next.
  public func observed(_ prefix: OrderPrefix, by observer: Int) {
    record.withLock { $0.observations[observer, default: []].append(prefix) }
  }

  /// All that was recorded, with the order that the state remembers.
  ///
  /// Observers are numbered in order of their numbers.
  public func history(applied: [ID]) -> WitnessedHistory<ID> {
    record.withLock { record in
      WitnessedHistory(
        operations: record.operations,
        applied: applied,
        observations: record.observations.sorted { $0.key < $1.key }.map(\.value)
      )
    }
  }
}
