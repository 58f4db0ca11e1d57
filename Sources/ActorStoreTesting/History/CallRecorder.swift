import ActorStore

/// A recorder of calls, from any number of tasks or threads, for a ``SequentialModel``.
///
/// ```swift
/// let calls = CallRecorder<Int, Int>()
/// let call = calls.called(with: 5)
/// let outcome = await store.dispatch(Add(5))
/// if let sum = outcome.output { calls.returned(call, sum) }
/// ...
/// let violation = try model.violation(in: calls.history())
/// ```
public final class CallRecorder<Input: Sendable, Output: Sendable & Equatable>: Sendable {
  private struct Record {
    var moment = 0
    var calls: [(input: Input, called: Int, output: Output?, returned: Int?)] = []
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
  /// - Parameter input: The input of the call.
  /// - Returns: The recorded call, to pass to ``returned(_:_:)``.
  public func called(with input: Input) -> Call {
    SimulationHooks.ofThread?.scheduler.pointBeforeRecordedCall()
    return record.withLock { record in
      record.moment += 1
      record.calls.append((input, record.moment, nil, nil))
      return Call(position: record.calls.count - 1)
    }
  }

  /// Records that a call returned.
  ///
  /// Call this method immediately after the recorded call. Do not call it if you do not know whether the call took
  /// effect.
  ///
  /// - Parameters:
  ///   - call: The recorded call.
  ///   - output: The output of the call.
  public func returned(_ call: Call, _ output: Output) {
    SimulationHooks.ofThread?.touchUntracked()
    record.withLock { record in
      record.moment += 1
      record.calls[call.position].output = output
      record.calls[call.position].returned = record.moment
    }
  }

  /// Returns the calls so far, for ``SequentialModel/violation(in:)``.
  ///
  /// The argument is the type of the model's state, which Swift usually infers.
  ///
  /// - Returns: The calls, in the order in which they were recorded.
  public func history<State: Hashable>(of _: State.Type = State.self) -> [SequentialModel<State, Input, Output>.Call] {
    record.withLock { $0.calls }.map { call in
      if let output = call.output, let returned = call.returned {
        .init(call.input, returning: output, called: call.called, returned: returned)
      } else {
        .init(call.input, called: call.called, returned: nil)
      }
    }
  }
}
