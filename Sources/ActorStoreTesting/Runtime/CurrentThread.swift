#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread, to be compared with the one that asks.
struct CurrentThread: @unchecked Sendable {
  // `@unchecked`: the handle is compared and nothing else.
  private let handle = pthread_self()

  /// A millisecond of nothing.
  static func rest() {
    usleep(1_000)
  }

  var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}
