#if os(Linux) && canImport(Runtime)
  #if !PublicAPIOnly && compiler(>=6.3) && compiler(<6.4)
    import Glibc
    @_spi(Contexts) @_spi(Internal) @_spi(MemoryReaders) import Runtime

    extension SwiftRuntime {
      /// Captures the calls in progress in the current task, or returns `nil` if that is not safe.
      ///
      /// On Linux, the unwinder recognizes an asynchronous function by its symbol. Optimized code contains functions
      /// without symbols. For such a function, the unwinder finds the symbol that precedes it. If that symbol belongs
      /// to an asynchronous function, the unwinder follows a word of the stack that is not an address. For this reason,
      /// the unwinder reads memory through the system here, and the system checks each address. The trace can end early
      /// or contain false calls, but the process does not crash.
      static func backtrace(limit: Int, images: ImageMap) -> Backtrace? {
        guard canCheckAddresses else { return uncheckedBacktrace(limit: limit, images: images) }
        return try? HostContext.withCurrentContext { context in
          try Backtrace.capture(
            from: context, using: checkedMemory(), images: images, algorithm: .auto, limit: limit)
        }
      }

      /// A reader that throws an error if there is no memory at an address.
      private static func checkedMemory() -> RemoteMemoryReader { RemoteMemoryReader(pid: getpid()) }

      /// Whether the process may read its memory through the system, which some containers forbid.
      static let canCheckAddresses: Bool = {
        let context = HostContext.withCurrentContext(fn: \.self)
        return (try? checkedMemory().fetch(from: context.stackPointer, as: UInt64.self)) != nil
      }()
    }
  #else
    import Runtime

    extension SwiftRuntime {
      /// Captures the calls in progress in the current task, or returns `nil` if that is not safe.
      static func backtrace(limit: Int, images: ImageMap) -> Backtrace? {
        uncheckedBacktrace(limit: limit, images: images)
      }
    }
  #endif

  extension SwiftRuntime {
    /// Captures the calls in progress without checking addresses, or returns `nil` in an optimized build.
    private static func uncheckedBacktrace(limit: Int, images: ImageMap) -> Backtrace? {
      #if DEBUG
        return try? Backtrace.capture(limit: limit, images: images)
      #else
        return nil
      #endif
    }
  }
#endif
