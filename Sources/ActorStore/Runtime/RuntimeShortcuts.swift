// This file contains everything that goes beyond Swift's public API, behind this one condition. The condition names the
// verified configurations:
//
//   Swift 6.3.1, Linux, x86_64, glibc (2.36), dynamic standard library: bash .ci/run
//
// To add another compiler, system, or architecture, add it to the condition and run that command there. All other
// builds use `PublicRuntime.swift`, whose functions have the same names and results but use only Swift's public API.
// That includes builds with the package trait `PublicAPIOnly`.
//
// The condition cannot check the C library's version, a static standard library, or the version of the runtime that a
// program loads. Such builds need the trait.
#if !PublicAPIOnly && compiler(>=6.3.1) && compiler(<6.3.2) && os(Linux) && canImport(Glibc) && arch(x86_64) && !hasFeature(Embedded)
  import CurrentTask
  import Synchronization

  /// Lower-cost equivalents of parts of Swift's public API.
  @usableFromInline package enum RuntimeShortcuts {
    /// Whether this build uses the shortcuts.
    ///
    /// A build without them calls the runtime only as compiled Swift code does.
    @inlinable package static var areOn: Bool { true }
  }

  /// A faster `Task.isCancelled`, which is `false` if there is no current task.
  @usableFromInline
  func isCurrentTaskCancelled() -> Bool {
    TaskReference.current.isCurrentAndCancelled
  }

  // MARK: Task-locals

  /// The value that `TaskLocal.get` returns, read with one call and a load.
  ///
  /// `TaskLocal.get` itself is not specialized for a type.
  @inline(__always)  // HP8
  func taskLocalValue<Value: BitwiseCopyable & Sendable>(_ taskLocal: TaskLocal<Value>, default value: Value) -> Value {
    unsafe current_task_local(Unmanaged.passUnretained(taskLocal).toOpaque())?.load(as: Value.self) ?? value
  }

  /// The object to which a task-local is bound, read in the same way, or `nil` if it is not bound.
  ///
  /// The task-local's default value must be `nil`.
  package func taskLocalObject<Object: AnyObject & Sendable>(_ taskLocal: TaskLocal<Object?>) -> Object? {
    unsafe current_task_local(Unmanaged.passUnretained(taskLocal).toOpaque())?
      .assumingMemoryBound(to: Object?.self).pointee
  }

  /// Binds a task-local to a value in the current task until `popTaskLocal`.
  ///
  /// The two functions are the two halves of `withValue`.
  func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      unsafe place.initializeElement(at: 0, to: value)
      unsafe current_task_push(
        Unmanaged.passUnretained(taskLocal).toOpaque(), place.baseAddress!,
        unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
    }
  }

  /// `pushTaskLocal` for bitwise-copyable values, without the runtime's lock.
  ///
  /// These invariants make it correct:
  /// - The first call verifies that the runtime stores the values of task-locals as `task_local.h` says. If it does
  ///   not, all calls go through the runtime.
  /// - Between this call and `popPlainTaskLocal`, no code adds a child task to a task group that already exists. Such a
  ///   child task can outlive the binding. The runtime copies the values that it pushes itself for such a task, but not
  ///   this one. Only the body of an action or an action group runs between the two calls. It cannot reach its caller's
  ///   task groups, because a task group is not sendable.
  @inline(__always)  // HP17
  func pushPlainTaskLocal<Value: BitwiseCopyable & Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    unsafe withUnsafePointer(to: value) { place in
      unsafe current_task_push_plain(
        Unmanaged.passUnretained(taskLocal).toOpaque(), place,
        unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self), UInt(MemoryLayout<Value>.size))
    }
  }

  @inline(__always)  // HP17
  func popPlainTaskLocal() {
    current_task_pop_plain()
  }

  func popTaskLocal() {
    current_task_pop()
  }

  // MARK: Cancellation

  /// Calls a function when the current task is canceled, until `stop`.
  ///
  /// If the task is already canceled, the call is immediate.
  ///
  /// The initializer and `stop` are the two halves of `withTaskCancellationHandler`. That function leaves the caller's
  /// executor for its operation and comes back. Its frames and closures use much of the memory that a task has before
  /// it must allocate more. A listener uses only task memory, which costs a fraction of heap memory.
  ///
  /// The invariants that make it correct are those of `withTaskCancellationHandler`:
  /// - The same task calls `stop`.
  /// - By then, everything that the task does between the two calls has ended and has freed its task memory.
  /// - The object lives until then.
  @safe package struct CancellationListener {
    private let cancellation: UnsafeMutablePointer<current_task_cancellation>

    init(
      _ object: AnyObject,
      _ number: UInt64,
      _ onCancel: @convention(c) (_ object: UnsafeRawPointer, _ number: UInt64) -> Void
    ) {
      unsafe cancellation = current_task_add_cancellation(
        onCancel, Unmanaged.passUnretained(object).toOpaque(), number)
    }

    /// Removes the listener, so that the function is not called after this method returns.
    package func stop() {
      unsafe current_task_remove_cancellation(cancellation)
    }
  }

  // MARK: Priority

  /// The raw value of `Task.currentPriority`, read without retaining the task (HP8), or 0 if there is no current task.
  func currentTaskPriority() -> UInt8 {
    task_priority_current()
  }

  /// A parked task, whose priority can be raised until it is resumed.
  ///
  /// These invariants make it correct:
  /// - A continuation refers to the task that it resumes, so no other reference to the task is necessary (HP9).
  /// - Only the holder of this value can resume the task, so the task cannot end before `resume`.
  @safe struct RaisableTask<Value: Sendable>: Sendable {
    private let parked: Parked<Value>

    init(_ parked: Parked<Value>) {
      self.parked = parked
    }

    /// Raises the task's priority, and runs its escalation handlers.
    ///
    /// Do not call it under a lock.
    func raisePriority(to priority: UInt8) {
      unsafe task_priority_raise(task, priority)
    }

    func resume(returning value: Value) { parked.resume(returning: value) }

    private var task: UnsafeMutableRawPointer { unsafe unsafeBitCast(parked, to: UnsafeMutableRawPointer.self) }

    /// The task, which has not been resumed.
    var reference: TaskReference { unsafe TaskReference(task) }
  }

  /// Suspends the current task until the `RaisableTask` that `body` receives is resumed.
  @inline(__always)  // HP9
  func parkRaisably<Value: Sendable>(_ body: @Sendable (RaisableTask<Value>) -> Void) async -> Value {
    await park { body(RaisableTask($0)) }
  }

  /// The address of a task, which does not keep the task alive.
  struct TaskReference: Sendable {
    /// The address, or 0 if the task is unknown.
    fileprivate let address: UInt

    fileprivate init(_ task: UnsafeMutableRawPointer?) {
      address = UInt(bitPattern: task)
    }

    init<Success>(_ task: Task<Success, Never>) {
      address = unsafe unsafeBitCast(task, to: UInt.self)
    }

    static var unknown: TaskReference { unsafe TaskReference(nil) }

    /// The current task, or `unknown` if there is none.
    static var current: TaskReference { unsafe TaskReference(swift_task_getCurrent()) }

    /// Whether the task, which must be the current one, is canceled.
    ///
    /// `Task.isCancelled` also retains and releases the task, which is expensive (HP8) and unnecessary, because the
    /// current task stays alive while its code runs.
    var isCurrentAndCancelled: Bool {
      guard let task = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return false }
      return unsafe swift_task_isCancelled(task)
    }
  }

  /// The task that has the turn of a queue, or had it last.
  ///
  /// These invariants make it correct:
  /// - Whenever a task or an unknown task gets the turn, it is stored under the queue's lock.
  /// - A task that has the turn ends it under that lock. So while it has the turn, the lock keeps it alive.
  /// - `load` is called only under that lock, while some task has the turn.
  struct TurnTask: ~Copyable, Sendable {
    /// The address of the task, or 0 if the task is unknown.
    private let address = Atomic<UInt>(0)

    func store(_ reference: TaskReference) {
      address.store(reference.address, ordering: .releasing)
    }

    func load() -> RaisableTurnTask? {
      let address = address.load(ordering: .acquiring)
      // The result is a reference that keeps the task alive.
      return address == 0 ? nil : RaisableTurnTask(task: unsafe unsafeBitCast(address, to: Task<Never, Never>.self))
    }

    /// Raises the priority of a task from `load`, and runs its escalation handlers.
    ///
    /// Do not call it under a lock.
    func raise(_ raisable: RaisableTurnTask, to priority: UInt8) {
      raisable.task.escalatePriority(to: TaskPriority(rawValue: priority))
    }
  }

  /// A task that has the turn or has had it, and that may have ended.
  struct RaisableTurnTask: Sendable {
    fileprivate let task: Task<Never, Never>
  }

  /// Only runs `body`, because this build can raise a task without a closure around its work.
  func run<Result: Sendable>(
    as turnTask: borrowing TurnTask,
    raisedTo lent: @Sendable () -> UInt8?,
    _ body: @Sendable () async -> Result
  ) async -> Result {
    await body()
  }

  // MARK: Tasks that start later

  /// An unstructured task that has been created but not started.
  ///
  /// It has its creator's task-locals and priority, like a task from `inheritingTask`. It takes much less memory than a
  /// task that has started and waits (HP9). It must be started exactly once on every path. Otherwise, the values that
  /// its operation holds are never released.
  ///
  /// These invariants make it correct:
  /// - A closure consists of two words, its function and its context, and the context is an object. The runtime expects
  ///   a closure that can throw and returns its result indirectly. A closure with a generic result type has this form,
  ///   so the functions in this type must stay generic.
  /// - The task gets its own reference to the context.
  /// - Creating the task returns one reference to it. That reference belongs to the task's own execution, and `start`
  ///   transfers it.
  /// - A `Task` is a reference to a task. The returned `Task` is a second reference to this one.
  @safe struct UnstartedTask: @unchecked Sendable {
    private let task: UnsafeMutableRawPointer

    /// Creates a task, or returns `nil` if the creator prefers an executor.
    ///
    /// An unstarted task would not know about that preference.
    @inline(never)  // HP2
    static func create<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async -> Success
    ) -> (unstarted: UnstartedTask, task: Task<Success, Never>)? {
      guard let task = unsafe runtimeTask(operation) else { return nil }
      return unsafe (UnstartedTask(task: task), unsafeBitCast(task, to: Task<Success, Never>.self))
    }

    /// Creates a task that can fail, like `create`.
    ///
    /// No frame between this task and its operation adapts the closure.
    static func createThrowing<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async throws -> Success
    ) -> (unstarted: UnstartedTask, task: Task<Success, any Error>)? {
      guard let task = unsafe runtimeTask(operation) else { return nil }
      return unsafe (UnstartedTask(task: task), unsafeBitCast(task, to: Task<Success, any Error>.self))
    }

    @inline(__always)  // HP2
    private static func runtimeTask<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async throws -> Success
    ) -> UnsafeMutableRawPointer? {
      if current_task_prefers_executor() { return nil }
      let words = unsafe unsafeBitCast(operation, to: Words.self)
      return unsafe unstarted_task_create(
        unsafeBitCast(Success.self as Any.Type, to: UnsafeRawPointer.self), words.function,
        words.context.map { unsafe Unmanaged.passRetained($0).toOpaque() })
    }

    /// The two words of a closure.
    @unsafe private struct Words {
      let function: UnsafeRawPointer
      let context: AnyObject?
    }

    /// Raises the task's priority before it starts.
    func raisePriority(to priority: UInt8) {
      unsafe task_priority_raise(task, priority)
    }

    /// The task, which has not been started.
    var reference: TaskReference { unsafe TaskReference(task) }

    func start() {
      guard Nesting.enter() else {
        return Nesting.putOff { [self] in unsafe unstarted_task_start(task) }
      }
      unsafe unstarted_task_start(task)
      Nesting.leave()
    }
  }
#else
  /// Lower-cost equivalents of parts of Swift's public API, of which this build has none.
  @usableFromInline package enum RuntimeShortcuts {
    /// Whether this build uses the shortcuts.
    @inlinable package static var areOn: Bool { false }
  }
#endif
