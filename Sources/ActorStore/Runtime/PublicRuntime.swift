// Replaces `RuntimeShortcuts.swift` where the condition in that file does not hold. The two conditions are opposites. A
// build that includes both files, or neither, does not compile.
#if !(!PublicAPIOnly && compiler(>=6.3.1) && compiler(<6.3.2) && os(Linux) && canImport(Glibc) && arch(x86_64) && !hasFeature(Embedded))
  /// Whether the current task is canceled, or `false` if there is no current task.
  @usableFromInline
  func isCurrentTaskCancelled() -> Bool {
    Task.isCancelled
  }

  func taskLocalValue<Value: Sendable>(_ taskLocal: TaskLocal<Value>, default value: Value) -> Value {
    taskLocal.get()
  }

  /// The raw value of `Task.currentPriority`.
  func currentTaskPriority() -> UInt8 {
    Task.currentPriority.rawValue
  }

  /// A parked task, whose priority can be raised until it is resumed.
  ///
  /// These invariants make it correct:
  /// - The task is inside the closure of `withUnsafeCurrentTask`, and only the holder of this value can resume it. So
  ///   the reference to the task is not used after the closure has returned.
  /// - Other tasks may call `escalatePriority` of an `UnsafeCurrentTask`, because `Task` has the same method.
  @safe struct RaisableTask<Value: Sendable>: @unchecked Sendable {
    private let parked: Parked<Value>
    private let task: UnsafeCurrentTask?

    init(_ parked: Parked<Value>, _ task: UnsafeCurrentTask?) {
      self.parked = parked
      unsafe self.task = unsafe task
    }

    /// Raises the task's priority, and runs its escalation handlers.
    ///
    /// Do not call it under a lock. Before version 26 of Apple's platforms, it does nothing.
    func raisePriority(to priority: UInt8) {
      guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
      unsafe task?.escalatePriority(to: TaskPriority(rawValue: priority))
    }

    func resume(returning value: Value) { parked.resume(returning: value) }

    var reference: TaskReference { .unknown }
  }

  /// Suspends the current task until the `RaisableTask` that `body` receives is resumed.
  @inline(__always)  // HP9
  func parkRaisably<Value: Sendable>(_ body: @Sendable (RaisableTask<Value>) -> Void) async -> Value {
    await unsafe withUnsafeCurrentTask { @Sendable task in
      await park { body(unsafe RaisableTask($0, task)) }
    }
  }

  /// A reference that does not keep a task alive, which this build does not have, so all tasks are unknown.
  struct TaskReference: Sendable {
    private init() {}

    init<Success>(_ task: Task<Success, Never>) {}

    static var unknown: TaskReference { TaskReference() }
    static var current: TaskReference { unknown }

    var isCurrentAndCancelled: Bool { Task.isCancelled }
  }

  /// The task that has the turn of a queue, or had it last.
  struct TurnTask: ~Copyable, Sendable {
    private let task = Locked<RaisableTurnTask?>(nil)

    func store(_ reference: TaskReference) {
      task.withLock { $0 = nil }
    }

    fileprivate func store(_ raisable: RaisableTurnTask) {
      task.withLock { $0 = raisable }
    }

    func load() -> RaisableTurnTask? {
      task.withLock { $0 }
    }
  }

  /// A task that has the turn or has had it, and that may have ended.
  ///
  /// These invariants make it correct:
  /// - The reference to the task is used only inside the closure of `withUnsafeCurrentTask`. Before the task leaves the
  ///   closure, `leave` waits until no other task uses the reference, and none uses it afterward.
  /// - Other tasks may call `escalatePriority` of an `UnsafeCurrentTask`, because `Task` has the same method.
  @safe final class RaisableTurnTask: @unchecked Sendable {
    private struct Users: Sendable {
      var mayUse = true
      /// The number of calls that are raising the task.
      var count = 0
      /// The task itself, if it waits for those calls.
      var leaving: Parked<Void>?
    }

    private let task: UnsafeCurrentTask?
    private let users = Locked(Users())

    fileprivate init(_ task: UnsafeCurrentTask?) {
      unsafe self.task = unsafe task
    }

    /// Raises the task's priority, and runs its escalation handlers.
    ///
    /// Do not call it under a lock. Before version 26 of Apple's platforms, it does nothing.
    func raisePriority(to priority: UInt8) {
      guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
      let mayUse = users.withLock { users in
        if users.mayUse { users.count += 1 }
        return users.mayUse
      }
      if !mayUse { return }
      unsafe task?.escalatePriority(to: TaskPriority(rawValue: priority))
      let leaving = users.withLock { users in
        users.count -= 1
        return users.count == 0 ? users.leaving.take() : nil
      }
      leaving?.resume(returning: ())
    }

    fileprivate func leave() async {
      let isUsed = users.withLock { users in
        users.mayUse = false
        return users.count > 0
      }
      if !isUsed { return }
      await park { task in
        let isUsed = users.withLock { users in
          if users.count > 0 { users.leaving = task }
          return users.count > 0
        }
        if !isUsed { task.resume(returning: ()) }
      }
    }
  }

  /// Runs `body` in the current task, so that its priority can be raised until `body` returns.
  func withRaisableTurnTask<Result: Sendable>(
    storedIn turnTask: borrowing TurnTask,
    _ body: @Sendable (RaisableTurnTask?) async -> Result
  ) async -> Result {
    await unsafe withUnsafeCurrentTask { @Sendable task in
      let raisable = unsafe RaisableTurnTask(task)
      turnTask.store(raisable)
      let result = await body(raisable)
      await raisable.leave()
      return result
    }
  }

  // `RuntimeShortcuts.areOn` is `false` in this build, so nothing calls the following declarations, except
  // those that create an `UnstartedTask`.

  func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    preconditionFailure("ActorStore: a shortcut was taken in a build that has none. This is a bug in ActorStore.")
  }

  func pushPlainTaskLocal<Value: BitwiseCopyable & Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    pushTaskLocal(taskLocal, value)
  }

  func popTaskLocal() {}

  func popPlainTaskLocal() {}

  package struct CancellationListener {
    init(
      _ object: AnyObject,
      _ number: UInt64,
      _ onCancel: @convention(c) (_ object: UnsafeRawPointer, _ number: UInt64) -> Void
    ) {
      preconditionFailure("ActorStore: a shortcut was taken in a build that has none. This is a bug in ActorStore.")
    }

    package func stop() {}
  }

  /// A placeholder, because this build cannot create a task without starting it.
  struct UnstartedTask: Sendable {
    private init() {}

    static func create<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async -> Success
    ) -> (unstarted: UnstartedTask, task: Task<Success, Never>)? {
      nil
    }

    static func createThrowing<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async throws -> Success
    ) -> (unstarted: UnstartedTask, task: Task<Success, any Error>)? {
      nil
    }

    func raisePriority(to priority: UInt8) {}

    var reference: TaskReference { .unknown }

    func start() {}
  }
#endif
