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

  package func taskLocalObject<Object: AnyObject & Sendable>(_ taskLocal: TaskLocal<Object?>) -> Object? {
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

  /// A reference to a task that does not keep the task alive.
  ///
  /// This build has no such references, so all tasks are unknown.
  struct TaskReference: Sendable {
    private init() {}

    init<Success>(_ task: Task<Success, Never>) {}

    static var unknown: TaskReference { TaskReference() }
    static var current: TaskReference { unknown }

    var isCurrentAndCancelled: Bool { Task.isCancelled }
  }

  /// The task that has the turn of a queue, or had it last.
  ///
  /// These invariants make it correct:
  /// - The reference to a task is used only inside the closure of `withUnsafeCurrentTask`. Before the task leaves the
  ///   closure, it waits until no other task uses the reference, and none uses it afterward.
  /// - Other tasks may call `escalatePriority` of an `UnsafeCurrentTask`, because `Task` has the same method.
  struct TurnTask: ~Copyable, Sendable {
    private let users = Locked(TaskUsers())

    func store(_ reference: TaskReference) {
      users.withLock { $0.forgetCurrent() }
    }

    /// Returns the task, which cannot end before `raise`.
    func load() -> RaisableTurnTask? {
      users.withLock { $0.useCurrent() }
    }

    /// Raises the priority of a task from `load`, and runs its escalation handlers.
    ///
    /// Do not call it under a lock. Before version 26 of Apple's platforms, it does nothing.
    func raise(_ raisable: RaisableTurnTask, to priority: UInt8) {
      if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
        unsafe raisable.task.escalatePriority(to: TaskPriority(rawValue: priority))
      }
      users.withLock { $0.endUse(of: raisable) }?.resume(returning: ())
    }

    fileprivate func begin(_ task: UnsafeCurrentTask) -> RaisableTurnTask {
      users.withLock { unsafe $0.add(task) }
    }

    /// Waits until no other task uses the reference to a task, which is the current one.
    fileprivate func end(_ raisable: RaisableTurnTask) async {
      if users.withLock({ $0.isUsed(raisable) }) {
        await park { parked in
          if !users.withLock({ $0.park(raisable, parked) }) { parked.resume(returning: ()) }
        }
      }
      users.withLock { $0.remove(raisable) }
    }
  }

  /// Runs `body` in the current task, so that the task's priority can be raised until `body` returns.
  ///
  /// - Parameter lent: Returns the priority of calls that did not know the task yet, or `nil` if it is not higher.
  func run<Result: Sendable>(
    as turnTask: borrowing TurnTask,
    raisedTo lent: @Sendable () -> UInt8?,
    _ body: @Sendable () async -> Result
  ) async -> Result {
    await unsafe withUnsafeCurrentTask { @Sendable task in
      // There is a task, because this function is asynchronous.
      let raisable = unsafe turnTask.begin(task!)
      if let priority = lent(), #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
        unsafe task!.escalatePriority(to: TaskPriority(rawValue: priority))
      }
      let result = await body()
      await turnTask.end(raisable)
      return result
    }
  }

  /// A task that has the turn or has had it.
  @safe struct RaisableTurnTask: @unchecked Sendable {
    fileprivate let number: UInt64
    fileprivate let task: UnsafeCurrentTask
  }

  /// The uses of references to tasks that have the turn or have had it, as pure logic.
  struct TaskUsers: Sendable {
    struct Entry: Sendable {
      let raisable: RaisableTurnTask
      /// The number of tasks that use the reference.
      var userCount = 0
      /// The task itself, if it waits for the end of these uses.
      var leaving: Parked<Void>?
    }

    // Usually at most one. When it is removed, the memory remains for the next one (P17).
    private var entries: [Entry] = []
    private var lastNumber: UInt64 = 0
    /// The number of the task that has the turn, or 0 if it is unknown.
    private var current: UInt64 = 0

    mutating func add(_ task: UnsafeCurrentTask) -> RaisableTurnTask {
      lastNumber += 1
      current = lastNumber
      let raisable = unsafe RaisableTurnTask(number: lastNumber, task: task)
      entries.append(Entry(raisable: raisable))
      return raisable
    }

    mutating func forgetCurrent() { current = 0 }

    mutating func useCurrent() -> RaisableTurnTask? {
      guard let index = firstIndex(current) else { return nil }
      entries[index].userCount += 1
      return entries[index].raisable
    }

    /// Returns the task itself, if it waits and this was the last use.
    mutating func endUse(of raisable: RaisableTurnTask) -> Parked<Void>? {
      let index = index(of: raisable)
      entries[index].userCount -= 1
      return entries[index].userCount == 0 ? entries[index].leaving.take() : nil
    }

    /// Whether other tasks use the reference, after which none can begin to use it.
    mutating func isUsed(_ raisable: RaisableTurnTask) -> Bool {
      if current == raisable.number { current = 0 }
      return entries[index(of: raisable)].userCount > 0
    }

    /// Parks the task itself, or returns `false` if the last use has ended.
    mutating func park(_ raisable: RaisableTurnTask, _ task: Parked<Void>) -> Bool {
      let index = index(of: raisable)
      if entries[index].userCount == 0 { return false }
      entries[index].leaving = task
      return true
    }

    mutating func remove(_ raisable: RaisableTurnTask) {
      entries.remove(at: index(of: raisable))
    }

    private func index(of raisable: RaisableTurnTask) -> Int {
      guard let index = firstIndex(raisable.number) else {
        preconditionFailure("ActorStore: a task that has left was used. This is a bug in ActorStore.")
      }
      return index
    }

    /// In a debug build, `firstIndex(where:)` would allocate memory (P17).
    private func firstIndex(_ number: UInt64) -> Int? {
      for index in 0..<entries.count where entries[index].raisable.number == number { return index }
      return nil
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
