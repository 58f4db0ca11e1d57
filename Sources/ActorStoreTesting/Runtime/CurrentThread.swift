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

  /// Blocks the calling thread for about a millisecond.
  static func rest() {
    usleep(1_000)
  }

  var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}
