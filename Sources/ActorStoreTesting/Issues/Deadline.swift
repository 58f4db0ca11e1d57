/// Runs `body` for so long at most; nil when the time was up, and `body`, then cancelled, had nothing to return.
func within<Value: Sendable>(
  _ limit: Duration,
  of clock: any Clock<Duration>,
  _ body: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await body() }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    var result: Value?
    for await next in group {
      group.cancelAll()
      result = result ?? next
    }
    return result
  }
}
