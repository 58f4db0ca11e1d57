public import ActorStore

extension Selected {
  /// Returns a stream of the values that a strategy delivers, starting with the current one.
  ///
  /// ```swift
  /// for await price in store.select(\.price).values(strategy: .throttled(for: .seconds(1))) { send(price) }
  /// ```
  ///
  /// Each call creates its own subscription. The stream is like `values(bufferingPolicy:)`. When the store is closed or
  /// deallocated, the pending value is delivered before the stream ends.
  ///
  /// - Parameters:
  ///   - strategy: When a value is delivered.
  ///   - bufferingPolicy: The delivered values to keep for a consumer that is behind.
  public func values(
    strategy: DeliveryStrategy,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    guard let pacing = strategy.pacing else { return values(bufferingPolicy: bufferingPolicy) }
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: bufferingPolicy)
    let series = PacedValues(values(bufferingPolicy: .bufferingNewest(1)), pacing, strategy.clock) { value in
      continuation.yield(value)
    } onEnd: {
      continuation.finish()
    }
    continuation.onTermination = { _ in series.end() }
    return stream
  }
}
