import CurrentTask

/// What a task does first when a simulation continues it.
///
/// Some points let only those tasks run whose next step can matter there.
package enum NextStep: Equatable, Sendable {
  case unknown
  /// It runs its own code, with another point before it reaches a store or an atom.
  case ownCode
  /// It reads or changes a store.
  case store(ObjectIdentifier)
}

/// Decides which task of a simulation runs next.
///
/// Outside of its simulation, each method does nothing, and the running task continues.
package protocol SimulationScheduler: AnyObject, Sendable {
  /// Decides whether the running task continues at the beginning or at the end of an `await`.
  ///
  /// - Parameters:
  ///   - next: What the task does after the pause.
  ///   - isAfterCheck: Whether the pause matters only if another task then cancels this one.
  func continues(before next: NextStep, isAfterCheck: Bool) -> Bool

  /// Puts the running task back among the ready ones, if it does not continue.
  func putBack(_ task: Parked<Void>, before next: NextStep)

  /// Lets another ready task run in the middle of synchronous code.
  ///
  /// It stops the current thread, so it costs more than a pause.
  func point(before next: NextStep)

  /// Lets another ready task run inside a commit, if its next step may read or change the store or any atoms.
  ///
  /// Until the end of the commit, the running task runs no client code. So the moment at which another task runs its
  /// own code does not matter.
  func pointInCommit(of store: ObjectIdentifier)

  /// Lets another ready task run after a ticket was canceled, unless the runtime may hold a lock.
  func pointAfterCancel()

  /// Lets another ready task run before a call that is recorded now and made immediately afterward.
  ///
  /// No other task runs between the two, so the order of the records is the order of the calls.
  func pointBeforeRecordedCall()

  /// Begins (1) or ends (-1) a part of the running job that has no points.
  func nestPointless(_ change: Int)

  /// Lets another ready task run in a loop that waits for another thread, and returns immediately if none is ready.
  func yield()

  /// Whether the search needs the accesses of the steps.
  var needsAccesses: Bool { get }

  /// Records that the current step has created an object.
  func created(_ object: ObjectIdentifier)

  /// Records that the current step reads or changes an object.
  ///
  /// - Parameter isHeld: Whether the later steps of the job repeat the access.
  func touched(_ object: ObjectIdentifier, isWrite: Bool, isHeld: Bool)

  /// Adds a line to the report of the current task.
  func note(_ text: String)
}

/// The hooks of a simulation, through which stores and atoms let other tasks run.
///
/// A store that is created inside a simulation keeps its hooks. Other stores have no hooks and pay only for a
/// comparison with `nil`. Atoms use the hooks of the current thread.
@usableFromInline package final class SimulationHooks: Sendable {
  /// What a sleep is for.
  package enum Sleep: Sendable {
    case ordinary
    /// The time limit of a test. The sleep does not end while another task can run.
    case lastResort
    /// To observe other tasks. A simulation does not wait for the sleep, so a run with it can still be a deadlock.
    case background
  }

  @TaskLocal package static var current: SimulationHooks?
  /// Why the current task sleeps.
  @TaskLocal package static var sleep = Sleep.ordinary

  package let scheduler: any SimulationScheduler
  /// Whether the steps must report their accesses.
  private let needsAccesses: Bool
  /// The clock of the simulation.
  package let clock: any Clock<Duration>
  /// The observer of the run's turns, or `nil` unless the run is recorded.
  let observer: TurnObserver?
  private let queues = Locked<[any SimulatedQueue]>([])

  package init(_ scheduler: any SimulationScheduler, clock: any Clock<Duration>, observer: TurnObserver?) {
    self.scheduler = scheduler
    self.clock = clock
    self.observer = observer
    needsAccesses = scheduler.needsAccesses
  }

  /// Lets another ready task run at the beginning or at the end of an `await`.
  ///
  /// On several threads, another task may run at that point. Without this call, it could not do so in a simulation,
  /// which runs one task at a time.
  package nonisolated(nonsending) func pause(before next: NextStep, isAfterCheck: Bool = false) async {
    if scheduler.continues(before: next, isAfterCheck: isAfterCheck) { return }
    await park { scheduler.putBack($0, before: next) }
  }

  /// Adds a line to the report of the current task, if the run is recorded.
  package func note(_ text: @autoclosure () -> String) {
    if observer != nil { scheduler.note(text()) }
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

  /// Lets another ready task run, if the current thread runs a simulation.
  package static func point(before next: NextStep = .unknown) {
    ofThread?.scheduler.point(before: next)
  }

  /// Runs a closure without points, because its caller may hold a lock.
  ///
  /// The runtime holds a lock of a task while it calls the task's cancellation handlers.
  package static func withoutPoints<Result>(_ body: () -> Result) -> Result {
    guard let hooks = ofThread else { return body() }
    hooks.scheduler.nestPointless(1)
    defer { hooks.scheduler.nestPointless(-1) }
    return body()
  }

  // MARK: Accesses

  /// Records that the current step has created a store, a broadcast, or a store of atoms.
  ///
  /// A search that skips equivalent schedules relies on these reports. So each step must report every access to state
  /// that it shares with other tasks through this library.
  package func created(_ object: AnyObject) {
    if needsAccesses { scheduler.created(ObjectIdentifier(object)) }
  }

  /// Records that the current step reads or changes an object.
  ///
  /// - Parameter isHeld: Whether the next steps of the task repeat the access until it suspends. Synchronous code that
  ///   calls a user's closure does not know whether the closure contains points, which begin new steps.
  package func touch(_ object: AnyObject, isWrite: Bool = true, isHeld: Bool = false) {
    if needsAccesses { scheduler.touched(ObjectIdentifier(object), isWrite: isWrite, isHeld: isHeld) }
  }

  /// Records that the current step reads or changes the process-wide state that a type represents.
  package func touch(_ type: any Any.Type, isWrite: Bool = true) {
    if needsAccesses { scheduler.touched(ObjectIdentifier(type), isWrite: isWrite, isHeld: false) }
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
