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

/// The one lock of the library: a value that can be reached only while the lock is held.
///
/// Under the lock nothing of the user's runs (P10): no closure, no resume of a continuation, no release of a state, an
/// action or an error, whose `deinit` might be theirs. What is to be done with such a thing is returned from the
/// section and done after it.
///
/// Built with `ACTORSTORE_PTHREAD_LOCKS` it is a mutex that ThreadSanitizer knows: on Linux it does not see the one of
/// the standard library, and would report what that protects.
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
  /// The invariant that makes it sendable: the value is reached only while the mutex is held.
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
