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
  /// There is one difference, unless the strategy is `immediate`. The store does not see a task that waits for the
  /// stream, so it cannot break a deadlock through this wait (see P8). Create the stream where you consume it.
  ///
  /// - Parameters:
  ///   - strategy: When a value is delivered.
  ///   - bufferingPolicy: The delivered values to keep for a consumer that is behind.
  public func values(
    strategy: DeliveryStrategy,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    guard let pacing = strategy.pacing else { return values(bufferingPolicy: bufferingPolicy) }
    requirePositive(bufferingPolicy)
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: bufferingPolicy)
    let series = PacedValues(values(bufferingPolicy: .bufferingNewest(1)), pacing, strategy.clock) { value in
      continuation.yield(value)
    } onEnd: {
      continuation.finish()
    }
    continuation.onTermination = { _ in series.end() }
    return AsyncStream {
      // Like a stream of the store, it gives a canceled consumer no remaining values.
      if Task.isCancelled { return nil }
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    } onCancel: {
      series.end()
    }
  }
}

/// Stops the program if a stream would keep no value.
private func requirePositive<Value>(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) {
  switch policy {
  case .bufferingNewest(let count), .bufferingOldest(let count):
    if count < 1 {
      fatalError("ActorStoreEvents: a stream that keeps \(count) values would deliver none. Keep at least one.")
    }
  default: break
  }
}
