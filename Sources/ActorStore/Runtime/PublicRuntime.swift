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

    func start() {}
  }
#endif
