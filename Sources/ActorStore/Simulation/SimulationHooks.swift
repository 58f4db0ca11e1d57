/// The hooks that a simulation sets for stores created inside it.
///
/// Other stores have no hooks. The hooks cost those stores only a comparison with `nil`.
@usableFromInline package final class SimulationHooks: Sendable {
  @TaskLocal package static var current: SimulationHooks?

  /// Lets another ready task run.
  ///
  /// Stores call it at the end of each `await` that may not have suspended.
  ///
  /// On several threads, another task may run at that point. Without this call, it could not do so on the single thread
  /// of a simulation.
  let pause: @Sendable () async -> Void
  /// The clock of the simulation.
  package let clock: any Clock<Duration>
  /// The observer of the run's turns, or `nil` unless the run is recorded.
  let observer: TurnObserver?
  private let queues = Locked<[any SimulatedQueue]>([])

  package init(pause: @escaping @Sendable () async -> Void, clock: any Clock<Duration>, observer: TurnObserver?) {
    self.pause = pause
    self.clock = clock
    self.observer = observer
  }

  func add(_ queue: any SimulatedQueue) {
    queues.withLock { $0.append(queue) }
  }

  /// Releases the queues when the run ends, because a queue also holds its hooks.
  package func end() {
    let queues = queues.withLock { queues in
      defer { queues = [] }
      return queues
    }
    withExtendedLifetime(queues) {}
  }

  /// Whether an action of any store has started but not ended.
  ///
  /// If this property is `true` at the end of a run, such an action will never end.
  package var hasUnfinishedActions: Bool {
    queues.withLock { $0 }.contains { $0.hasUnfinishedAction }
  }
}

/// The queue of a store that was created inside a simulation.
protocol SimulatedQueue: AnyObject, Sendable {
  /// Whether an action has started but not ended.
  var hasUnfinishedAction: Bool { get }
}
