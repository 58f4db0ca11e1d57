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
  }

  /// Suspends the current task until the `RaisableTask` that `body` receives is resumed.
  @inline(__always)  // HP9
  func parkRaisably<Value: Sendable>(_ body: @Sendable (RaisableTask<Value>) -> Void) async -> Value {
    await unsafe withUnsafeCurrentTask { @Sendable task in
      await park { body(unsafe RaisableTask($0, task)) }
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

    func start() {}
  }
#endif
