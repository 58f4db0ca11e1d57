import CurrentTask

/// The hooks of a simulation, through which stores and atoms let other tasks run.
///
/// A store that is created inside a simulation keeps its hooks. Other stores have no hooks, which costs them only a
/// comparison with `nil`. Atoms use the hooks of the thread.
@usableFromInline package final class SimulationHooks: Sendable {
  @TaskLocal package static var current: SimulationHooks?

  /// Lets another ready task run at the beginning or at the end of an `await`.
  ///
  /// On several threads, another task may run at that point. Without this call, it could not do so in a simulation,
  /// which runs one task at a time.
  let pause: @Sendable () async -> Void
  /// Lets another ready task run in the middle of synchronous code.
  ///
  /// It stops the current thread, so it costs more than `pause`.
  package let point: @Sendable () -> Void
  /// Lets another ready task run before a call that is recorded now and made immediately afterward.
  ///
  /// No other task runs between the two, so the order of the records is the order of the calls.
  package let pointBeforeRecordedCall: @Sendable () -> Void
  /// Lets another ready task run in a loop that waits for another thread, and returns immediately if none is ready.
  package let yield: @Sendable () -> Void
  /// Records that the current step reads or changes a store, a broadcast, or a store of atoms.
  package let touch: @Sendable (_ object: UInt64, _ isWrite: Bool) -> Void
  /// Adds a line to the report of the current task, or `nil` unless the run is recorded.
  package let note: (@Sendable (String) -> Void)?
  /// The clock of the simulation.
  package let clock: any Clock<Duration>
  /// The observer of the run's turns, or `nil` unless the run is recorded.
  let observer: TurnObserver?
  private let queues = Locked<[any SimulatedQueue]>([])

  package init(
    pause: @escaping @Sendable () async -> Void,
    point: @escaping @Sendable () -> Void,
    pointBeforeRecordedCall: @escaping @Sendable () -> Void,
    yield: @escaping @Sendable () -> Void,
    touch: @escaping @Sendable (_ object: UInt64, _ isWrite: Bool) -> Void,
    note: (@Sendable (String) -> Void)?,
    clock: any Clock<Duration>,
    observer: TurnObserver?
  ) {
    self.pause = pause
    self.point = point
    self.pointBeforeRecordedCall = pointBeforeRecordedCall
    self.yield = yield
    self.touch = touch
    self.note = note
    self.clock = clock
    self.observer = observer
  }

  // MARK: The current thread

  /// The hooks of the simulation that runs on the current thread, or `nil` if there is none.
  ///
  /// Invariant: a thread that sets its hooks holds them until it sets the former ones.
  package static var ofThread: SimulationHooks? {
    get { unsafe simulation_hooks().map { unsafe Unmanaged<SimulationHooks>.fromOpaque($0).takeUnretainedValue() } }
    set {
      unsafe simulation_set_hooks(newValue.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
  }

  // MARK: The queues of stores

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
