import CurrentTask

#if ACTORSTORE_PTHREAD_LOCKS
  #if canImport(Darwin)
    public import Darwin
  #elseif canImport(Glibc)
    public import Glibc
  #elseif canImport(Musl)
    public import Musl
  #endif
#else
  public import Synchronization
#endif

/// The library's only kind of lock, with a value that is accessible only while the lock is held.
///
/// No user code runs under the lock (P10). A critical section calls no closure of the user and resumes no continuation.
/// It releases no state, action, or error, because the `deinit` may be the user's. Instead, it returns such values, and
/// the caller uses or releases them after unlocking.
///
/// With `ACTORSTORE_PTHREAD_LOCKS`, the lock is a mutex that ThreadSanitizer recognizes. On Linux, ThreadSanitizer does
/// not recognize the standard library's mutex and would report false data races on the values that it protects.
@frozen @usableFromInline package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  #if ACTORSTORE_PTHREAD_LOCKS
    @usableFromInline let mutex: PthreadMutex<Value>
  #else
    @usableFromInline let mutex: Mutex<Value>
  #endif

  @inlinable
  package init(_ value: Value) {
    #if ACTORSTORE_PTHREAD_LOCKS
      mutex = PthreadMutex(value)
    #else
      mutex = Mutex(value)
    #endif
  }

  @inlinable
  @inline(__always)  // HP12
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }

  /// Runs a closure with the lock, and backs off for a while before it waits for the lock.
  ///
  /// Threads that change the same data from several cores spend most of their time moving it between the cores. A
  /// thread that backs off lets the holder make several changes in a row. After a bounded number of attempts, it waits
  /// in the system's queue, so a thread with a lower priority that holds the lock gets to run. After the first two
  /// attempts, it also yields its processor between attempts. The holder may need that processor, because the system
  /// hands the lock off to a thread in the queue before that thread runs.
  ///
  /// A thread that has waited in the queue must run its closure before it unlocks. If it unlocked and tried again, it
  /// would find the lock handed to the next thread in the queue, and such threads could pass the lock around forever.
  ///
  /// - Parameters:
  ///   - briefly: Whether the first pauses are short. Pass `true` if the threads do other work between their changes.
  ///     The holder then makes no further changes for a while, and a long pause would waste time.
  ///   - body: The closure.
  @inlinable
  @inline(__always)  // HP15
  package borrowing func withLockBackingOff<Result: Sendable>(
    briefly: Bool = false, _ body: (inout Value) -> Result
  ) -> Result {
    for attempt in (briefly ? -3 : 1)...16 {
      if let result = withLockIfAvailable(body) { return result }
      backOff(attempt)
    }
    return withLock(body)
  }

  /// Runs a closure with the lock, or returns `nil` if a thread holds the lock.
  @inlinable
  @inline(__always)  // HP12
  package borrowing func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
    mutex.withLockIfAvailable { body(&$0) }
  }
}

/// Spins for a while and, from the third attempt on, then lets other threads run on the processor.
///
/// Each attempt takes twice as long as the one before, up to a limit. The number of the first attempt can be negative.
@usableFromInline
@inline(never)  // HP15
func backOff(_ attempt: Int) {
  for _ in 0..<min(512 << attempt, 4_096) { spin_hint() }
  if attempt > 2 { yield_thread() }
}

#if ACTORSTORE_PTHREAD_LOCKS
  /// A system mutex, together with the value that it protects.
  ///
  /// This invariant makes it sendable: code accesses the value only while it holds the mutex.
  @safe @frozen @usableFromInline struct PthreadMutex<Value: Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @usableFromInline
    init(_ value: Value) {
      unsafe mutex = .allocate(capacity: 1)
      unsafe pthread_mutex_init(mutex, nil)
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
    }

    @usableFromInline
    borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return unsafe body(&value.pointee)
    }

    @usableFromInline
    borrowing func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
      guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { unsafe pthread_mutex_unlock(mutex) }
      return unsafe body(&value.pointee)
    }
  }
#endif
