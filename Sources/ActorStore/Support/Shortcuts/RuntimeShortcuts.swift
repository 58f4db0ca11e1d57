// Everything that goes past Swift's public API is in this file, behind this one condition. It names what was verified:
//
//   Swift 6.3.1, Linux, x86_64, glibc (2.36), dynamic standard library: bash .ci/run
//
// To add another compiler, system, or architecture, add it to the condition and run that command there. Until then it
// gets `PublicRuntime.swift`, whose functions have the same names and results, from Swift's public API alone. So do
// builds with the package trait `PublicAPIOnly`, for example with a static standard library.
#if !PublicAPIOnly && compiler(>=6.3.1) && compiler(<6.3.2) && os(Linux) && canImport(Glibc) && arch(x86_64) && !hasFeature(Embedded)
  import CurrentTask

  /// Ways to do what Swift's public API does at a lower cost.
  @usableFromInline package enum RuntimeShortcuts {
    /// Whether this build uses them; if not, nothing in it calls the runtime except as compiled Swift code does.
    @inlinable package static var areOn: Bool { true }
  }

  /// Whether the current task is cancelled; false where there is none: `Task.isCancelled`, and faster.
  @usableFromInline
  func isCurrentTaskCancelled() -> Bool {
    current_task_is_cancelled()
  }

  // MARK: Task-locals

  /// What `TaskLocal.get` returns: that is compiled for no particular type, and this is one call and a load.
  @inline(__always)
  func taskLocalValue<Value: BitwiseCopyable & Sendable>(_ taskLocal: TaskLocal<Value>, default value: Value) -> Value {
    unsafe current_task_local(Unmanaged.passUnretained(taskLocal).toOpaque())?.load(as: Value.self) ?? value
  }

  /// Gives a task-local a value in the current task, until `popTaskLocal`: the two halves of `withValue`.
  func pushTaskLocal<Value: Sendable>(_ taskLocal: TaskLocal<Value>, _ value: Value) {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      unsafe place.initializeElement(at: 0, to: value)
      unsafe current_task_push(
        Unmanaged.passUnretained(taskLocal).toOpaque(), place.baseAddress!,
        unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
    }
  }

  func popTaskLocal() {
    current_task_pop()
  }

  // MARK: Cancellation

  /// Calls a function when the current task is cancelled, at once if it is already, until `stop`.
  ///
  /// These are the two halves of `withTaskCancellationHandler`, which leaves the caller's executor for its operation and
  /// comes back. Its frames and closures take much of the memory that a task has at hand before it needs more to wait.
  /// What a listener needs is memory of the task, which costs a fraction of what the heap does.
  ///
  /// The invariants that make it right are those of the original. The same task calls `stop`. What that task does in
  /// between has ended by then and has given back the task's memory it took. The object lives until then.
  @safe struct CancellationListener {
    private let cancellation: UnsafeMutablePointer<current_task_cancellation>

    init(
      _ object: AnyObject,
      _ number: UInt64,
      _ onCancel: @convention(c) (_ object: UnsafeRawPointer, _ number: UInt64) -> Void
    ) {
      unsafe cancellation = current_task_add_cancellation(
        onCancel, Unmanaged.passUnretained(object).toOpaque(), number)
    }

    /// Once it returns, the function is not called any more.
    func stop() {
      unsafe current_task_remove_cancellation(cancellation)
    }
  }

  // MARK: Tasks that start later

  /// An unstructured task that has been created and not been started.
  ///
  /// It has its creator's task-locals and priority, as one of `inheritingTask` has, and takes about a third of the memory
  /// of a task that has started and waits. It has to be started exactly once, whatever happens, or what its operation
  /// holds is never released.
  ///
  /// The invariants that make it right:
  /// - A closure is two words, its function and its context. As one that can throw, in the form for any `Success`, it is
  ///   what the runtime calls.
  /// - The reference that the memory has to the context goes over to the task.
  /// - The one reference to the task that creating it returns is that of its own execution, which `start` gives away.
  /// - A `Task` is a reference to a task: here a second one.
  @safe struct HeldTask: @unchecked Sendable {
    private let task: UnsafeMutableRawPointer

    /// Nil for a creator that prefers an executor, of which the task would not know.
    @inline(never)
    static func create<Success: Sendable>(
      _ operation: @escaping @Sendable @concurrent () async -> Success
    ) -> (held: HeldTask, handle: Task<Success, Never>)? {
      guard currentTaskExecutor() == nil else { return nil }
      let task = unsafe withUnsafeTemporaryAllocation(of: Body<Success>.self, capacity: 1) { body in
        unsafe body.initializeElement(at: 0, to: Body(run: operation))
        let words = UnsafeRawBufferPointer(body)
        return unsafe held_task_create(
          unsafeBitCast(Success.self as Any.Type, to: UnsafeRawPointer.self),
          words.load(as: UnsafeRawPointer.self),
          words.load(fromByteOffset: MemoryLayout<UnsafeRawPointer>.stride, as: UnsafeMutableRawPointer?.self))
      }
      return unsafe (HeldTask(task: task), unsafeBitCast(task, to: Task<Success, Never>.self))
    }

    /// Keeps the form that a closure has for any `Success`; in memory of its own type it would get another.
    private struct Body<Success: Sendable> {
      let run: @Sendable @concurrent () async throws -> Success
    }

    func start() {
      guard Nesting.enter() else {
        return Nesting.putOff { [self] in unsafe held_task_start(task) }
      }
      unsafe held_task_start(task)
      Nesting.leave()
    }
  }
#else
  /// Ways to do what Swift's public API does at a lower cost; here, none.
  @usableFromInline package enum RuntimeShortcuts {
    /// Whether this build uses them.
    @inlinable package static var areOn: Bool { false }
  }
#endif
