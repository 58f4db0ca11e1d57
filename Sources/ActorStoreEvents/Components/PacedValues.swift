import ActorStore

/// The task that delivers a debounced or throttled series of values.
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

  /// Ends the series, without delivering a pending value.
  func end() { task.cancel() }
}
