import ActorStore

/// A recorder of calls, from any number of tasks or threads, for a ``WitnessedHistory``.
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

  /// A recorded call, to pass to ``returned(_:_:)`` when it returns.
  public struct Call: Sendable {
    fileprivate let position: Int
  }

  private let record = Locked(Record())

  /// Creates a recorder without calls.
  public init() {}

  /// Records a call.
  ///
  /// Call this method immediately before the recorded call.
  ///
  /// - Parameter id: The identity of the call, which must differ from all others.
  /// - Returns: The recorded call, to pass to ``returned(_:_:)``.
  public func called(_ id: ID) -> Call {
    SimulationHooks.ofThread?.scheduler.pointBeforeRecordedCall()
    return record.withLock { record in
      record.moment += 1
      record.operations.append(WitnessedHistory.Operation(id: id, called: record.moment))
      return Call(position: record.operations.count - 1)
    }
  }

  /// Records that a call returned.
  ///
  /// Call this method immediately after the recorded call.
  ///
  /// - Parameters:
  ///   - call: The recorded call.
  ///   - effect: The effect of the call, as its caller knows it.
  public func returned(_ call: Call, _ effect: WitnessedHistory<ID>.Effect) {
    SimulationHooks.ofThread?.touchUntracked()
    record.withLock { record in
      record.moment += 1
      // A call with an unknown effect may take effect later or never, so its return limits nothing.
      record.operations[call.position].returned = effect == .unknown ? nil : record.moment
      record.operations[call.position].effect = effect
    }
  }

  /// Records the next observation of an observer.
  ///
  /// - Parameters:
  ///   - prefix: The prefix that the observer saw.
  ///   - observer: A number that identifies the observer.
  public func observed(_ prefix: OrderPrefix, by observer: Int) {
    record.withLock { $0.observations[observer, default: []].append(prefix) }
  }

  /// Returns the recorded calls and observations, together with the order that the state recorded.
  ///
  /// The history sorts the observers by their numbers, and renumbers them from 0.
  ///
  /// - Parameter applied: The operations in the order in which they took effect.
  /// - Returns: The history so far.
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
