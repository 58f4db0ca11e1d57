#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

// Swift 6.3 asks an executor to wake a sleeping task through this protocol, which is not public yet. Without it,
// `Task.sleep` goes unnoticed, and then no deadlock is proven.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalScheduling) import _Concurrency

  extension SimulatedExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      escaped(.sleep)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      escaped(.sleep)
    }
  }
#endif

/// Access to the parts of Swift's runtime that have no public interface.
///
/// In this module, only this file and this type's extensions use them. The runtime calls a hook, if it has one,
/// whenever a job is enqueued on the global executor or the main actor. Our hooks notify the simulation that runs on
/// the current thread, and then call the earlier hook or the original function. `EscapeProbe.seesEscapes` detects a
/// runtime that lacks such hooks or does not call them.
enum SwiftRuntime {
  /// The kind of a job.
  enum Job {
    /// A job that runs a task until it suspends.
    ///
    /// The number is unique in the process, and tasks that are created later have greater numbers, if the runtime has
    /// task IDs. Otherwise, it is the address of the job.
    case task(UInt64)
    /// A job that makes a yielding task ready.
    case endOfYield
    /// A job without a number, as when an actor processes its mailbox.
    case other
  }

  /// The address of a job.
  ///
  /// The job of a task always has the address of the task.
  static func address(of job: UnownedJob) -> UInt { unsafe unsafeBitCast(job, to: UInt.self) }

  /// Whether the runtime has task IDs.
  static var hasTaskIDs: Bool { taskIDFunction != nil && flagsFunction != nil }

  static func job(_ job: UnownedJob) -> Job {
    let address = address(of: job)
    guard let flagsFunction, let taskIDFunction else { return .task(UInt64(address)) }
    // The values are those of `JobKind` in the runtime's MetadataValues.h.
    switch flagsFunction(address) & 0xff {
    case 0: return .task(taskIDFunction(address))
    case 195: return .endOfYield
    default: return .other
    }
  }

  /// Whether a job belongs to a child task.
  static func isChild(_ job: UnownedJob) -> Bool {
    // The value is that of `Task_IsChildTask` in the runtime's MetadataValues.h.
    flagsFunction.map { $0(address(of: job)) & 1 << 24 != 0 } ?? false
  }

  /// Whether a task that has not been freed is canceled, or `nil` if the runtime does not tell.
  static func isCancelled(taskAt address: UInt) -> Bool? { isCancelledFunction?(address) }

  /// The number of the current task, or `nil` if there is none.
  static var currentTaskID: UInt64? {
    unsafe withUnsafeCurrentTask { task in
      // In the runtime, a task is also the job that runs it, because `AsyncTask` inherits from `Job`.
      guard let task = unsafe task, case .task(let id) = job(unsafe unsafeBitCast(task, to: UnownedJob.self)) else {
        return nil
      }
      return id
    }
  }

  /// The simulation that is running on this thread.
  ///
  /// This is not a task-local value, because the runtime also calls hooks outside of tasks.
  static var current: SimulatedExecutor? {
    get {
      unsafe pthread_getspecific(threadKey).map {
        unsafe Unmanaged<SimulatedExecutor>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set {
      // Safe: the setter's caller keeps the executor alive until it restores the earlier one.
      _ = unsafe pthread_setspecific(threadKey, newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }

  /// Installs our hooks, once.
  ///
  /// Our hooks call the hooks that were installed before.
  static func installHooks() {
    _ = hooksAreInstalled
  }

  /// Whether no other hooks have replaced ours.
  static var hooksAreInPlace: Bool {
    _ = hooksAreInstalled
    return unsafe installed.allSatisfy { unsafe UnsafePointer<UInt>(bitPattern: $0.variable)?.pointee == $0.hook }
  }

  /// Returns the demangled name of a symbol, with types and modules, or `nil` if the runtime cannot demangle it.
  static func demangled(_ symbol: String) -> String? {
    guard let demangle = unsafe demangleFunction, let name = unsafe demangle(symbol, symbol.utf8.count, nil, nil, 0)
    else { return nil }
    // Safe: the function allocates a string with a terminating zero for its caller.
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  /// The return addresses on the stack, from the innermost call outward, or `nil` if they are unknown.
  static func returnAddresses() -> [UInt]? {
    guard let backtraceFunction = unsafe backtraceFunction else { return nil }
    let limit = 128
    return unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: limit) { buffer in
      // Safe: the function writes at most `limit` addresses.
      guard let start = buffer.baseAddress else { return nil }
      let count = unsafe backtraceFunction(start, CInt(limit))
      return unsafe buffer.prefix(Int(count)).map { UInt(bitPattern: $0) }
    }
  }

  // MARK: The hooks

  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
  private typealias EnqueueAfter = @convention(thin) (UInt64, UnownedJob) -> Void
  private typealias EnqueueAfterHook = @convention(thin) (UInt64, UnownedJob, EnqueueAfter) -> Void
  private typealias EnqueueAt = @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob) -> Void
  private typealias EnqueueAtHook =
    @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob, EnqueueAt) -> Void
  private typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  private typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

  // Each is written once, before our hook is installed.
  nonisolated(unsafe) private static var earlierGlobal: EnqueueHook?
  nonisolated(unsafe) private static var earlierAfter: EnqueueAfterHook?
  nonisolated(unsafe) private static var earlierAt: EnqueueAtHook?
  nonisolated(unsafe) private static var earlierMain: EnqueueHook?
  nonisolated(unsafe) private static var earlierMainExecutor: MainExecutorHook?

  nonisolated(unsafe) private static var installed: [(variable: UInt, hook: UInt)] = []

  private static let hooksAreInstalled: Void = {
    unsafe replace("swift_task_enqueueGlobal_hook", keeping: &earlierGlobal) { job, original in
      SwiftRuntime.current?.escaped(.unstructuredTask)
      guard let earlier = unsafe SwiftRuntime.earlierGlobal else { return original(job) }
      earlier(job, original)
    }
    unsafe replace("swift_task_enqueueGlobalWithDelay_hook", keeping: &earlierAfter) { delay, job, original in
      SwiftRuntime.current?.escaped(.sleep)
      guard let earlier = unsafe SwiftRuntime.earlierAfter else { return original(delay, job) }
      earlier(delay, job, original)
    }
    unsafe replace("swift_task_enqueueGlobalWithDeadline_hook", keeping: &earlierAt) {
      seconds, nanoseconds, leeway, leewayNanoseconds, clock, job, original in
      SwiftRuntime.current?.escaped(.sleep)
      guard let earlier = unsafe SwiftRuntime.earlierAt else {
        return original(seconds, nanoseconds, leeway, leewayNanoseconds, clock, job)
      }
      earlier(seconds, nanoseconds, leeway, leewayNanoseconds, clock, job, original)
    }
    unsafe replace("swift_task_enqueueMainExecutor_hook", keeping: &earlierMain) { job, original in
      SwiftRuntime.current?.escaped(.mainActor)
      guard let earlier = unsafe SwiftRuntime.earlierMain else { return original(job) }
      earlier(job, original)
    }
    // Newer runtimes enqueue on the main actor without a hook, but ask for its executor first.
    unsafe replace("swift_task_getMainExecutor_hook", keeping: &earlierMainExecutor) { original in
      SwiftRuntime.current?.escaped(.mainActor)
      guard let earlier = unsafe SwiftRuntime.earlierMainExecutor else { return unsafe original() }
      return unsafe earlier(original)
    }
  }()

  private static func replace<Hook>(_ name: StaticString, keeping earlier: inout Hook?, with hook: Hook) {
    // Safe: the runtime's variable has this type, and it exists as long as the process.
    guard let variable = unsafe symbol(name)?.assumingMemoryBound(to: Hook?.self) else { return }
    earlier = unsafe variable.pointee
    unsafe variable.pointee = hook
    unsafe installed.append((UInt(bitPattern: variable), unsafeBitCast(hook, to: UInt.self)))
  }

  // MARK: Symbols

  private static let taskIDFunction: (@convention(c) (UInt) -> UInt64)? =
    unsafe symbol("swift_task_getJobTaskId").map {
      unsafe unsafeBitCast($0, to: (@convention(c) (UInt) -> UInt64).self)
    }

  private static let flagsFunction: (@convention(c) (UInt) -> Int)? =
    unsafe symbol("swift_task_getJobFlags").map { unsafe unsafeBitCast($0, to: (@convention(c) (UInt) -> Int).self) }

  private static let isCancelledFunction: (@convention(c) (UInt) -> Bool)? =
    unsafe symbol("swift_task_isCancelled").map { unsafe unsafeBitCast($0, to: (@convention(c) (UInt) -> Bool).self) }

  private typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, CInt) -> CInt

  /// The function of the C library that finds the return addresses, if it has one.
  private static let backtraceFunction: Backtrace? =
    unsafe symbol("backtrace").map { unsafe unsafeBitCast($0, to: Backtrace.self) }

  private typealias Demangle =
    @convention(c) (UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32)
    -> UnsafeMutablePointer<CChar>?

  private static let demangleFunction: Demangle? =
    unsafe symbol("swift_demangle").map { unsafe unsafeBitCast($0, to: Demangle.self) }

  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  private static func symbol(_ name: StaticString) -> UnsafeMutableRawPointer? {
    unsafe dlsym(dlopen(nil, RTLD_LAZY), name.description)
  }
}
