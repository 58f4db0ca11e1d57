import ActorStore

/// A debounced or throttled series of values that is being delivered.
struct PacedValues: Sendable {
  private let task: Task<Void, Never>

  /// Starts to deliver the values of a stream.
  ///
  /// - Parameters:
  ///   - onValue: Called in order with the values to deliver.
  ///   - onEnd: Called after the last value if the stream has ended.
  init<Value: Sendable>(
    _ values: AsyncStream<Value>, _ pacing: Pacing, _ clock: some Clock<Duration>,
    onValue: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    let pacer = Pacer(pacing, clock, onValue)
    task = Task.inheritingExecutor {
      for await value in values { await pacer.receive(value) }
      if Task.isCancelled { return }
      await pacer.flush()
      onEnd()
    }
  }

  /// Starts to deliver the values of a stream to a store, which components observe.
  ///
  /// An observation already holds its owner weakly and calls it on its actor. The state is `nil` until the first value
  /// has been delivered. The task of the series keeps the store.
  static func inStore<Value: Sendable>(
    _ values: AsyncStream<Value>, _ pacing: Pacing, _ clock: any Clock<Duration>
  ) -> (store: Store<Value?>, series: PacedValues) {
    let store = Store<Value?>(nil)
    let series = PacedValues(values, pacing, clock) { value in
      store.send { $0 = value }
    } onEnd: {
      store.close()
    }
    return (store, series)
  }

  /// Ends the series, without delivering a pending value.
  func end() { task.cancel() }
}
