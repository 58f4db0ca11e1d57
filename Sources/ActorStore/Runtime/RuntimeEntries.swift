// This file contains everything that goes beyond Swift's public API: calls of functions that the runtime exports, and
// assumptions about its types. Compiled code calls nearly all of these functions, too, so they are part of Swift's ABI.
// The others have been exported since Swift 5.5. `.ci/entries` checks that the library calls no others.
//
// | function of the runtime | who else calls it | rules |
// | --- | --- | --- |
// | `swift_task_getCurrent` | `_getCurrentAsyncTask` of the standard library's interface | the result is not retained |
// | `swift_task_isCancelled` | clients: the instance property `Task.isCancelled` | only for the current task |
// | `swift_task_localValuePush`, `Pop` | clients: `TaskLocal.withValue` is inlinable | see `CallChain.push` (HP6) |
// | `swift_task_localValueGet` | no compiled code; `TaskLocal.get` does little else | valid while it is bound |
// | `swift_task_alloc`, `dealloc` | clients: the frame of each async function | last in, first out |
// | `swift_task_add`, `removeCancellationHandler` | clients: `withTaskCancellationHandler` | calls must nest |
// | `swift_task_create`, two of its flags | clients: `Task.init` is inlinable | see `UnstartedTask` |
// | `swift_task_enqueueTaskOnExecutor` | no compiled code | linked weakly, so it may be missing; see `UnstartedTask` |
//
// A `Task` and an `UnsafeContinuation` are frozen structures with one reference to the task. A closure consists of two
// words. `UnsafeCurrentTask` is not frozen, so it is never stored. Only a build without the functions reads it, and
// assumes that its first word is the task.
//
// Public functions with the same meaning replace these functions in builds with the package trait `PublicAPIOnly`, and
// where the functions cannot be called: in Embedded Swift, on arm64e (where the runtime requires signed handlers), and
// on riscv64 (whose compilers do not support the calling convention in C).
import CurrentTask
import Synchronization

#if PublicAPIOnly || hasFeature(Embedded) || _ptrauth(_arm64e) || arch(riscv64)
  /// Public replacements for the runtime's functions.
  ///
  /// Some do nothing, because their callers check `areUsed` or `createsUnstartedTasks` first.
  @usableFromInline package enum RuntimeEntries {
    /// Whether this build calls the runtime's functions.
    @inlinable package static var areUsed: Bool { false }

    fileprivate static var currentTask: UInt {
      // The first word is the task. Copying the structure itself takes several calls.
      unsafe withUnsafeCurrentTask { task in unsafe withUnsafeBytes(of: task) { unsafe $0.load(as: UInt.self) } }
    }

    fileprivate static func isCancelled(_ current: UInt) -> Bool { Task.isCancelled }

    fileprivate static func get<Value: BitwiseCopyable>(_ taskLocal: TaskLocal<Value>) -> Value? { taskLocal.get() }
    fileprivate static func push(_: UnsafeRawPointer, _: UnsafeMutableRawPointer, _: UnsafeRawPointer) {}
    fileprivate static func pop() {}

    fileprivate typealias Listener = UnsafeRawPointer?
    fileprivate static func add(
      _: @convention(c) (UnsafeRawPointer, UInt64) -> Void, _: UnsafeRawPointer, _: UInt64
    ) -> Listener { nil }
    fileprivate static func remove(_: Listener) {}

    fileprivate static var createsUnstartedTasks: Bool { false }
    fileprivate static func create(_: UnsafeRawPointer, _: UnsafeRawPointer, _: UnsafeMutableRawPointer?) -> UInt { 0 }
    fileprivate static func start(_: UInt) {}
  }
#else
  /// Calls of the runtime's functions.
  @usableFromInline package enum RuntimeEntries {
    /// Whether this build calls the runtime's functions.
    @inlinable package static var areUsed: Bool { true }

    fileprivate static var currentTask: UInt { unsafe UInt(bitPattern: swift_task_getCurrent()) }

    /// `Task.isCancelled` also retains and releases the task, which is expensive (HP8) and unnecessary, because the
    /// current task stays alive while its code runs.
    fileprivate static func isCancelled(_ current: UInt) -> Bool {
      guard let task = unsafe UnsafeMutableRawPointer(bitPattern: current) else { return false }
      return unsafe swift_task_isCancelled(task)
    }

    fileprivate static func get<Value: BitwiseCopyable>(_ taskLocal: TaskLocal<Value>) -> Value? {
      unsafe swift_task_localValueGet(Unmanaged.passUnretained(taskLocal).toOpaque())?.load(as: Value.self)
    }

    fileprivate static func push(_ key: UnsafeRawPointer, _ value: UnsafeMutableRawPointer, _ type: UnsafeRawPointer) {
      unsafe swift_task_localValuePush(key, value, type)
    }

    fileprivate static func pop() { swift_task_localValuePop() }

    fileprivate typealias Listener = UnsafeMutablePointer<cancellation_listener>

    fileprivate static func add(
      _ body: @convention(c) (UnsafeRawPointer, UInt64) -> Void, _ object: UnsafeRawPointer, _ number: UInt64
    ) -> Listener {
      unsafe cancellation_listener_add(body, object, number)
    }

    fileprivate static func remove(_ listener: Listener) { unsafe cancellation_listener_remove(listener) }

    fileprivate static var createsUnstartedTasks: Bool { unstarted_task_is_possible() }

    fileprivate static func create(
      _ type: UnsafeRawPointer, _ function: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?
    ) -> UInt {
      unsafe UInt(bitPattern: unstarted_task_create(type, function, context))
    }

    fileprivate static func start(_ task: UInt) {
      unsafe unstarted_task_start(UnsafeMutableRawPointer(bitPattern: task)!)
    }
  }
#endif

/// Whether the current task is canceled, or `false` if there is no current task.
@usableFromInline
func isCurrentTaskCancelled() -> Bool { TaskReference.current.isCurrentAndCancelled }

// MARK: Task-locals

/// The value of a task-local in the current task.
///
/// If it is not bound, the result is `nil`, or the default value in a build with the public API only. `TaskLocal.get` is
/// slower, because it copies the value through its type's metadata.
@inline(__always)  // HP8
func boundValue<Value: BitwiseCopyable>(of taskLocal: TaskLocal<Value>) -> Value? { RuntimeEntries.get(taskLocal) }

/// Binds a task-local to a value in the current task until `popTaskLocal`.
///
/// The two functions are the two halves of `TaskLocal.withValue`.
func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
  unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
    unsafe place.initializeElement(at: 0, to: value)
    unsafe RuntimeEntries.push(
      Unmanaged.passUnretained(taskLocal).toOpaque(), place.baseAddress!,
      unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
  }
}

func popTaskLocal() { RuntimeEntries.pop() }

// MARK: Cancellation

/// Calls a function when the current task is canceled, until `stop`.
///
/// If the task is already canceled, the call is immediate.
///
/// The initializer and `stop` are the two halves of `withTaskCancellationHandler`. That function leaves the caller's
/// executor for its operation and comes back. Its frames and closures use much of the memory that a task has before it
/// must allocate more. A listener uses only task memory, which costs a fraction of heap memory.
///
/// The invariants that make it correct are those of `withTaskCancellationHandler`:
/// - The same task calls `stop`.
/// - By then, everything that the task does between the two calls has ended and has freed its task memory.
/// - The object lives until then.
@safe package struct CancellationListener {
  private let listener: RuntimeEntries.Listener

  init(
    _ object: AnyObject,
    _ number: UInt64,
    _ onCancel: @convention(c) (_ object: UnsafeRawPointer, _ number: UInt64) -> Void
  ) {
    unsafe listener = RuntimeEntries.add(onCancel, Unmanaged.passUnretained(object).toOpaque(), number)
  }

  /// Removes the listener, so that the function is not called after this method returns.
  package func stop() { unsafe RuntimeEntries.remove(listener) }
}

// MARK: References to tasks

/// The address of a task, which does not keep the task alive.
struct TaskReference: Sendable {
  /// The address, or 0 if the task is unknown.
  fileprivate let address: UInt

  fileprivate init(address: UInt) {
    self.address = address
  }

  init<Success>(_ task: Task<Success, Never>) {
    address = unsafe unsafeBitCast(task, to: UInt.self)
  }

  static var unknown: TaskReference { TaskReference(address: 0) }

  /// The current task, or `unknown` if there is none.
  static var current: TaskReference { TaskReference(address: RuntimeEntries.currentTask) }

  /// Whether the task, which must be the current one, is canceled.
  var isCurrentAndCancelled: Bool { RuntimeEntries.isCancelled(address) }

  /// Raises the priority of the task, which has not ended, and runs its escalation handlers.
  ///
  /// Do not call it under a lock. Before version 26 of Apple's platforms, it does nothing.
  fileprivate func raisePriority(to priority: UInt8) { raisable?.raisePriority(to: priority) }

  /// A reference that keeps the task alive, or `nil` if the task is unknown.
  ///
  /// The task must not have ended.
  fileprivate var raisable: RaisableTurnTask? {
    address == 0 ? nil : RaisableTurnTask(task: unsafe unsafeBitCast(address, to: Task<Never, Never>.self))
  }
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
  func raisePriority(to priority: UInt8) { reference.raisePriority(to: priority) }

  func resume(returning value: Value) { parked.resume(returning: value) }

  /// The task, which has not been resumed.
  var reference: TaskReference { TaskReference(address: unsafe unsafeBitCast(parked, to: UInt.self)) }
}

/// Suspends the current task until the `RaisableTask` that `body` receives is resumed.
@inline(__always)  // HP9
func parkRaisably<Value: Sendable>(_ body: @Sendable (RaisableTask<Value>) -> Void) async -> Value {
  await park { body(RaisableTask($0)) }
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

  func load() -> RaisableTurnTask? { TaskReference(address: address.load(ordering: .acquiring)).raisable }
}

/// A task that has the turn or has had it, and that may have ended.
struct RaisableTurnTask: Sendable {
  fileprivate let task: Task<Never, Never>

  /// Raises the task's priority, and runs its escalation handlers.
  ///
  /// Do not call it under a lock. Before version 26 of Apple's platforms, it does nothing.
  func raisePriority(to priority: UInt8) {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    task.escalatePriority(to: TaskPriority(rawValue: priority))
  }
}

// MARK: Tasks that start later

/// An unstructured task that has been created but not started.
///
/// It has its creator's task-locals and priority, like a task from `inheritingTask`. It takes much less memory than a
/// task that has started and waits (HP9). It must be started exactly once on every path. Otherwise, the values that its
/// operation holds are never released.
///
/// These invariants make it correct:
/// - A closure consists of two words, its function and its context, and the context is an object. The runtime expects a
///   closure that can throw and returns its result indirectly. A closure with a generic result type has this form, so
///   the functions in this type must stay generic.
/// - The task gets its own reference to the context.
/// - Creating the task returns one reference to it. That reference belongs to the task's own execution, and `start`
///   transfers it.
/// - A `Task` is a reference to a task. The returned `Task` is a second reference to this one.
@safe struct UnstartedTask: @unchecked Sendable {
  /// The task, which has not been started.
  let reference: TaskReference

  /// Creates a task, or returns `nil` if it cannot be created without starting it, or the creator prefers an executor.
  ///
  /// An unstarted task would not know about that preference.
  @inline(never)  // HP2
  static func create<Success: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async -> Success
  ) -> (unstarted: UnstartedTask, task: Task<Success, Never>)? {
    guard let task = runtimeTask(operation) else { return nil }
    return (UnstartedTask(reference: task), unsafe unsafeBitCast(task.address, to: Task<Success, Never>.self))
  }

  /// Creates a task that can fail, like `create`.
  ///
  /// No frame between this task and its operation adapts the closure.
  static func createThrowing<Success: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async throws -> Success
  ) -> (unstarted: UnstartedTask, task: Task<Success, any Error>)? {
    guard let task = runtimeTask(operation) else { return nil }
    return (UnstartedTask(reference: task), unsafe unsafeBitCast(task.address, to: Task<Success, any Error>.self))
  }

  @inline(__always)  // HP2
  private static func runtimeTask<Success: Sendable>(
    _ operation: @escaping @Sendable @concurrent () async throws -> Success
  ) -> TaskReference? {
    if !RuntimeEntries.createsUnstartedTasks || currentTaskExecutor() != nil { return nil }
    let words = unsafe unsafeBitCast(operation, to: Words.self)
    return TaskReference(
      address: unsafe RuntimeEntries.create(
        unsafeBitCast(Success.self as Any.Type, to: UnsafeRawPointer.self), words.function,
        words.context.map { unsafe Unmanaged.passRetained($0).toOpaque() }))
  }

  /// The two words of a closure.
  @unsafe private struct Words {
    let function: UnsafeRawPointer
    let context: AnyObject?
  }

  /// Raises the task's priority before it starts.
  func raisePriority(to priority: UInt8) { reference.raisePriority(to: priority) }

  func start() {
    guard Nesting.enter() else { return Nesting.putOff { [self] in RuntimeEntries.start(reference.address) } }
    RuntimeEntries.start(reference.address)
    Nesting.leave()
  }
}
