import ActorStore

/// The delayed values of a selection, for one component.
///
/// An observation of the selection passes values to a pacer. When a value is due, the pacer sends it to a separate
/// store. The component observes that store, because an observation already holds its owner weakly and calls it on its
/// actor. The closure of the component's observation retains this object. So when that observation ends, for whatever
/// reason, this object is deallocated and ends the observation of the selection.
final class PacedSelection<Value: Sendable>: Sendable {
  /// The newest value to deliver, or `nil` until there is one.
  let delivered = Store<Value?>(nil)
  private let token: ObservationToken

  init<State>(_ selected: Selected<State, Value>, _ pacing: Pacing, _ clock: some Clock<Duration>) {
    let pacer = Pacer(pacing, clock) { [delivered] value in delivered.send { $0 = value } }
    let end = SeriesEnd { [delivered] in
      await pacer.flush()
      delivered.close()
    }
    token = selected.observe(pacer, bufferingPolicy: .bufferingNewest(1)) { pacer, value in
      withExtendedLifetime(end) { pacer.receive(value) }
    }
  }

  deinit { token.cancel() }
}

/// Calls a closure when the observation whose closure retains this object has ended.
private final class SeriesEnd: Sendable {
  private let onEnd: @Sendable () async -> Void

  init(_ onEnd: @escaping @Sendable () async -> Void) { self.onEnd = onEnd }

  deinit { Task.inheritingExecutor { [onEnd] in await onEnd() } }
}
