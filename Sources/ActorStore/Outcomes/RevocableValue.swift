/// Awaits the value of a task until it is available or the wait is revoked, whichever comes first.
///
/// Code that awaits `Task.value` itself cannot return before the task ends.
final class RevocableValue<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case initial
    case waiting(Parked<Value?>)
    case ended(Value?)
  }

  private let state = Locked(State.initial)

  /// Awaits the value of a task, or returns `nil` if the wait is revoked first.
  func of(_ task: Task<Value, Never>) async -> Value? {
    _ = inheritingTask { self.end(with: await task.value) }
    return await park { waiting in
      let ended = state.withLock { state -> Value?? in
        if case .ended(let value) = state { return .some(value) }
        state = .waiting(waiting)
        return nil
      }
      if let ended { waiting.resume(returning: ended) }
    }
  }

  func revoke() {
    end(with: nil)
  }

  private func end(with value: Value?) {
    let waiting = state.withLock { state -> Parked<Value?>? in
      switch state {
      case .ended: return nil
      case .initial:
        state = .ended(value)
        return nil
      case .waiting(let waiting):
        state = .ended(nil)
        return waiting
      }
    }
    waiting?.resume(returning: value)
  }
}
