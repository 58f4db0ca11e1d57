import Dispatch

/// An actor that can be kept from doing anything.
actor BusyActor {
  private nonisolated let executor = MarkedExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Calls something from this actor.
  func call<Value: Sendable>(_ body: @Sendable (isolated BusyActor) async -> Value) async -> Value {
    await body(self)
  }

  /// Blocks the actor's thread, which is its own and none of the pool's.
  func block(_ blocked: Gate, until release: DispatchSemaphore) {
    blocked.open()
    release.wait()
  }
}
