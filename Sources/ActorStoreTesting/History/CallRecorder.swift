import ActorStore

/// Records the calls of a run, from any number of tasks or threads, for a ``SequentialModel``.
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

  /// A call that was recorded, to be given back when it has returned.
  public struct Call: Sendable {
    fileprivate let position: Int
  }

  private let record = Locked(Record())

  /// Nothing has been called.
  public init() {}

  /// Right before the call.
  public func called(with input: Input) -> Call {
    record.withLock { record in
      record.moment += 1
      record.calls.append((input, record.moment, nil, nil))
      return Call(position: record.calls.count - 1)
    }
  }

  /// Right after it has returned; not to be called when it is not known whether it had an effect.
  public func returned(_ call: Call, _ output: Output) {
    record.withLock { record in
      record.moment += 1
      record.calls[call.position].output = output
      record.calls[call.position].returned = record.moment
    }
  }

  /// The calls so far, for ``SequentialModel/violation(in:)`` of any state.
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
