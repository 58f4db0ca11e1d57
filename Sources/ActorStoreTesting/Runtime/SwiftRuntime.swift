#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

// How the toolchain of 2026 asks an executor to wake a sleeper. It has no public name yet; without it `Task.sleep`
// cannot be noticed, and then no deadlock is called proven.
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

/// What the simulation has to know of Swift's runtime and no public interface says: all of it is in this file.
///
/// The runtime calls a hook, where there is one, whenever a job is given to the global pool or the main actor. Ours
/// tells the simulation on whose thread that happens, and then does what would have been done without us. A runtime
/// that has no such hooks, or does not call them, is found out by trying (`EscapeProbe.seesEscapes`).
enum SwiftRuntime {
  /// What a job does.
  enum Job {
    /// Runs the task with this number, which no other of the process ever has, until it suspends.
    case task(UInt64)
    /// Makes a task that yielded ready.
    case endOfYield
    /// Something that has no number: an actor works off its mailbox.
    case other
  }

  static func job(_ job: UnownedJob) -> Job {
    let address = unsafe unsafeBitCast(job, to: UInt.self)
    guard let flagsFunction, let taskIDFunction else { return .task(UInt64(address)) }
    // The kind of a job: `JobKind` in the runtime's MetadataValues.h.
    switch flagsFunction(address) & 0xff {
    case 0: return .task(taskIDFunction(address))
    case 195: return .endOfYield
    default: return .other
    }
  }

  /// The number of the task that is running here, nil if none is.
  static var currentTaskID: UInt64? {
    unsafe withUnsafeCurrentTask { task in
      // A task is the job that runs it: the runtime's `AsyncTask` is a `Job`.
      guard let task = unsafe task, case .task(let id) = job(unsafe unsafeBitCast(task, to: UnownedJob.self)) else {
        return nil
      }
      return id
    }
  }

  /// The simulation that is running on this thread.
  ///
  /// Not a task-local, because the hooks are called where there is no task.
  static var current: SimulatedExecutor? {
    get {
      unsafe pthread_getspecific(threadKey).map {
        unsafe Unmanaged<SimulatedExecutor>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set {
      // The executor is kept by whoever sets it, until it is set back.
      _ = unsafe pthread_setspecific(threadKey, newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }

  /// Puts our hooks in, once; those that somebody else put in before go on being called.
  static func installHooks() {
    _ = hooksAreInstalled
  }

  /// Nobody has put other hooks in the place of ours.
  static var hooksAreInPlace: Bool {
    _ = hooksAreInstalled
    return unsafe installed.allSatisfy { unsafe UnsafePointer<UInt>(bitPattern: $0.variable)?.pointee == $0.hook }
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

  // Written once, before ours are called.
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
    // The variable is the runtime's, of this type, and lives as long as the process.
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

  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  private static func symbol(_ name: StaticString) -> UnsafeMutableRawPointer? {
    unsafe dlsym(dlopen(nil, RTLD_LAZY), name.description)
  }
}
