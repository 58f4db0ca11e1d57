// What `RuntimeShortcuts.swift` is replaced by where its condition does not hold. The conditions are each other's
// opposites: a build that has both, or neither, does not compile.
#if !(!PublicAPIOnly && compiler(>=6.3.1) && compiler(<6.3.2) && os(Linux) && canImport(Glibc) && arch(x86_64) && !hasFeature(Embedded))
  /// Whether the current task is cancelled; false where there is none.
  @usableFromInline
  func isCurrentTaskCancelled() -> Bool {
    Task.isCancelled
  }

  func taskLocalValue<Value: Sendable>(_ taskLocal: TaskLocal<Value>, default value: Value) -> Value {
    taskLocal.get()
  }

  // Where `RuntimeShortcuts.areOn` is false nothing calls what follows.

  func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    preconditionFailure("ActorStore: a shortcut was taken in a build that has none. This is a bug in ActorStore.")
  }

  func popTaskLocal() {}

  struct CancellationListener {
    init(
      _ object: AnyObject,
      _ number: UInt64,
      _ onCancel: @convention(c) (_ object: UnsafeRawPointer, _ number: UInt64) -> Void
    ) {
      preconditionFailure("ActorStore: a shortcut was taken in a build that has none. This is a bug in ActorStore.")
    }

    func stop() {}
  }

  /// No task can be created without being started.
  struct HeldTask: Sendable {
    private init() {}

    static func create<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async -> Success
    ) -> (held: HeldTask, handle: Task<Success, Never>)? {
      nil
    }

    func start() {}
  }
#endif
