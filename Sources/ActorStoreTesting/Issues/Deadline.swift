import ActorStore

/// Runs a closure for a limited time.
///
/// Returns `nil` if the time is up or the task is canceled first. The closure's task is then canceled, but not awaited,
/// because a closure that ignores cancellation would block the test forever.
func within<Value: Sendable>(
  _ limit: Duration,
  of clock: any Clock<Duration>,
  _ body: @escaping @Sendable () async -> Value?
) async -> Value? {
  let first = First<Value?>()
  let work = Simulation.task { first.come(await body()) }
  let timer = Simulation.task {
    await sleepAsLastResort(for: limit, clock)
    first.come(nil)
  }
  let value = await withTaskCancellationHandler {
    await first.value
  } onCancel: {
    first.come(nil)
    timer.cancel()
  }
  work.cancel()
  timer.cancel()
  return value
}

/// Sleeps until a time limit of a test is reached.
///
/// In a simulation, the sleep does not end while another task can run.
func sleepAsLastResort(for limit: Duration, _ clock: any Clock<Duration>) async {
  try? await SimulationHooks.$sleep.withValue(.lastResort) { try await clock.sleep(for: limit) }
}

/// The first of several values, for one waiting task.
private final class First<Value: Sendable>: Sendable {
  private enum Place: Sendable {
    case empty
    case awaited(Parked<Value>)
    case come(Value)
  }

  private let place = Locked(Place.empty)

  func come(_ value: Value) {
    SimulationHooks.ofThread?.touch(self)
    let waiting = place.withLock { place -> Parked<Value>? in
      switch place {
      case .come: return nil
      case .empty:
        place = .come(value)
        return nil
      case .awaited(let waiting):
        place = .come(value)
        return waiting
      }
    }
    waiting?.resume(returning: value)
  }

  var value: Value {
    get async {
      await park { waiting in
        let value = place.withLock { place -> Value? in
          if case .come(let value) = place { return value }
          place = .awaited(waiting)
          return nil
        }
        if let value { waiting.resume(returning: value) }
      }
    }
  }
}
