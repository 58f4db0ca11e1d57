/// A value that one task awaits, and that several others may try to set.
///
/// The first value is kept, and later values are dropped.
final class FirstValue<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case initial
    case awaited(Parked<Value>)
    case set(Value)
  }

  private let state = Locked(State.initial)

  /// Awaits the first value.
  ///
  /// Call it at most once.
  func get() async -> Value {
    await park { task in
      let known = state.withLock { state -> Value? in
        if case .set(let value) = state { return value }
        state = .awaited(task)
        return nil
      }
      if let known { task.resume(returning: known) }
    }
  }

  func set(_ value: Value) {
    let task = state.withLock { state -> Parked<Value>? in
      switch state {
      case .set: return nil
      case .initial:
        state = .set(value)
        return nil
      case .awaited(let task):
        state = .set(value)
        return task
      }
    }
    task?.resume(returning: value)
  }
}
