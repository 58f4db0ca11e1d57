import Dispatch

/// An actor whose thread a test can block.
actor BusyActor {
  private nonisolated let executor = MarkedExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Calls a closure on this actor.
  func call<Value: Sendable>(_ body: @Sendable (isolated BusyActor) async -> Value) async -> Value {
    await body(self)
  }

  /// Blocks the thread that runs the actor, which is not part of the cooperative thread pool.
  func block(_ blocked: Gate, until release: DispatchSemaphore) {
    blocked.open()
    release.wait()
  }
}
