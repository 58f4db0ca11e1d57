#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The identity of a thread, to compare with the calling thread.
struct CurrentThread: @unchecked Sendable {
  // Safe: the handle is only compared.
  private let handle = pthread_self()

  var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Blocks the calling thread for about a millisecond.
  static func rest() {
    usleep(1_000)
  }

  /// Yields the processor, in a loop that waits for another thread.
  static func yield() {
    sched_yield()
  }

  /// Starts a thread.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    // As much as the main thread usually has, because any thread may continue a simulation.
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
      let error = unsafe pthread_create(&thread, &attributes, { unsafe Body.run($0) }, box)
    #else
      var thread = pthread_t()
      let error = unsafe pthread_create(&thread, &attributes, { unsafe Body.run($0!) }, box)
    #endif
    unsafe pthread_attr_destroy(&attributes)
    if error != 0 {
      fatalError(
        "ActorStoreTesting: the system refused to start a thread (error \(error)). Run fewer simulations at a time.")
    }
  }

  private final class Body: Sendable {
    private let body: @Sendable () -> Void

    init(run body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      // Safe: the creator of the thread has passed this reference.
      unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().body()
      return nil
    }
  }
}
