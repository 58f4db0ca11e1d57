#if ACTORSTORE_PTHREAD_LOCKS
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#else
  import Synchronization
#endif

/// The library's only kind of lock, with a value that is accessible only while the lock is held.
///
/// No user code runs under the lock (P10). A critical section calls no closure of the user and resumes no continuation.
/// It releases no state, action, or error, because the `deinit` may be the user's. Instead, it returns such values, and
/// the caller uses or releases them after unlocking.
///
/// With `ACTORSTORE_PTHREAD_LOCKS`, the lock is a mutex that ThreadSanitizer recognizes. On Linux, ThreadSanitizer does
/// not recognize the standard library's mutex and would report false data races on the values that it protects.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  #if ACTORSTORE_PTHREAD_LOCKS
    private let mutex: PthreadMutex<Value>
  #else
    private let mutex: Mutex<Value>
  #endif

  package init(_ value: Value) {
    #if ACTORSTORE_PTHREAD_LOCKS
      mutex = PthreadMutex(value)
    #else
      mutex = Mutex(value)
    #endif
  }

  @inline(__always)  // HP12
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}

#if ACTORSTORE_PTHREAD_LOCKS
  /// A system mutex, together with the value that it protects.
  ///
  /// This invariant makes it sendable: code accesses the value only while it holds the mutex.
  @safe private struct PthreadMutex<Value: Sendable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

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

    borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return unsafe body(&value.pointee)
    }
  }
#endif
