import CurrentTask

/// The hooks of a simulation, through which stores and atoms let other tasks run.
///
/// A store that is created inside a simulation keeps its hooks. Other stores have no hooks and pay only for a
/// comparison with `nil`. Atoms use the hooks of the current thread.
@usableFromInline package final class SimulationHooks: Sendable {
  @TaskLocal package static var current: SimulationHooks?
  /// Whether the current task sleeps only to observe other tasks.
  ///
  /// A simulation does not wait for such a sleep, so a run with it can still be a deadlock.
  @TaskLocal package static var isInBackground = false

  /// Decides whether the running task continues at the beginning or at the end of an `await`.
  private let continues: @Sendable () -> Bool
  /// Puts the running task back among the ready ones, if it does not continue.
  private let putBack: @Sendable (Parked<Void>) -> Void
  /// Lets another ready task run in the middle of synchronous code.
  ///
  /// It stops the current thread, so it costs more than `pause`.
  package let point: @Sendable () -> Void
  /// Lets another ready task run before a call that is recorded now and made immediately afterward.
  ///
  /// No other task runs between the two, so the order of the records is the order of the calls.
  package let pointBeforeRecordedCall: @Sendable () -> Void
  /// Begins (1) or ends (-1) a part of the running job that has no points.
  private let nestPointless: @Sendable (Int) -> Void
  /// Lets another ready task run in a loop that waits for another thread, and returns immediately if none is ready.
  package let yield: @Sendable () -> Void
  /// Receives the accesses of the steps, or is `nil` unless the search needs them.
  private let accesses: Accesses?
  /// Adds a line to the report of the current task, or `nil` unless the run is recorded.
  package let note: (@Sendable (String) -> Void)?
  /// The clock of the simulation.
  package let clock: any Clock<Duration>
  /// The observer of the run's turns, or `nil` unless the run is recorded.
  let observer: TurnObserver?
  private let queues = Locked<[any SimulatedQueue]>([])

  package init(
    continues: @escaping @Sendable () -> Bool,
    putBack: @escaping @Sendable (Parked<Void>) -> Void,
    point: @escaping @Sendable () -> Void,
    pointBeforeRecordedCall: @escaping @Sendable () -> Void,
    nestPointless: @escaping @Sendable (Int) -> Void,
    yield: @escaping @Sendable () -> Void,
    accesses: Accesses?,
    note: (@Sendable (String) -> Void)?,
    clock: any Clock<Duration>,
    observer: TurnObserver?
  ) {
    self.continues = continues
    self.putBack = putBack
    self.point = point
    self.pointBeforeRecordedCall = pointBeforeRecordedCall
    self.nestPointless = nestPointless
    self.yield = yield
    self.accesses = accesses
    self.note = note
    self.clock = clock
    self.observer = observer
  }

  /// Lets another ready task run at the beginning or at the end of an `await`.
  ///
  /// On several threads, another task may run at that point. Without this call, it could not do so in a simulation,
  /// which runs one task at a time.
  package nonisolated(nonsending) func pause() async {
    if !continues() { await park(putBack) }
  }

  // MARK: The current thread

  /// The hooks of the simulation that runs on the current thread, or `nil` if there is none.
  ///
  /// Invariant: A thread that sets its hooks keeps them alive until it restores the previous ones.
  package static var ofThread: SimulationHooks? {
    get { unsafe simulation_hooks().map { unsafe Unmanaged<SimulationHooks>.fromOpaque($0).takeUnretainedValue() } }
    set {
      unsafe simulation_set_hooks(newValue.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
  }

  /// Runs a closure without points, because its caller may hold a lock.
  ///
  /// The runtime holds a lock of a task while it calls the task's cancellation handlers.
  package static func withoutPoints<Result>(_ body: () -> Result) -> Result {
    guard let hooks = ofThread else { return body() }
    hooks.nestPointless(1)
    defer { hooks.nestPointless(-1) }
    return body()
  }

  // MARK: Accesses

  /// Receives the objects that the steps of a run create, read, and change.
  ///
  /// A search that skips equivalent schedules relies on these reports. So each step must report every access to state
  /// that it shares with other tasks through this library.
  package struct Accesses: Sendable {
    let create: @Sendable (_ object: ObjectIdentifier) -> Void
    let touch: @Sendable (_ object: ObjectIdentifier, _ isWrite: Bool, _ isHeld: Bool) -> Void

    package init(
      create: @escaping @Sendable (_ object: ObjectIdentifier) -> Void,
      touch: @escaping @Sendable (_ object: ObjectIdentifier, _ isWrite: Bool, _ isHeld: Bool) -> Void
    ) {
      self.create = create
      self.touch = touch
    }
  }

  /// Records that the current step has created a store, a broadcast, or a store of atoms.
  package func created(_ object: AnyObject) {
    accesses?.create(ObjectIdentifier(object))
  }

  /// Records that the current step reads or changes an object.
  ///
  /// - Parameter isHeld: Whether the next steps of the task repeat the access until it suspends. Synchronous code that
  ///   calls a user's closure does not know whether the closure contains points, which begin new steps.
  package func touch(_ object: AnyObject, isWrite: Bool = true, isHeld: Bool = false) {
    accesses?.touch(ObjectIdentifier(object), isWrite, isHeld)
  }

  /// Records that the current step reads or changes the process-wide state that a type represents.
  package func touch(_ type: any Any.Type, isWrite: Bool = true) {
    accesses?.touch(ObjectIdentifier(type), isWrite, false)
  }

  /// Records that the current step reads or changes memory that the library does not track.
  package func touchUntracked() {
    touch(SimulationHooks.self)
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
