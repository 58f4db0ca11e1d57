import ActorStore

/// Finds out whether the current code runs in a cancellation handler.
///
/// The runtime holds a lock of the canceled task while it calls the task's handlers, so a simulation must not stop the
/// thread there. The runtime does not tell whether it calls a handler. But it calls all handlers from the same place,
/// which is then among the return addresses on the stack.
enum CancellationProbe {
  /// Whether the current code may run in a cancellation handler.
  ///
  /// It is `true` if the system cannot tell.
  static var mayBeInHandler: Bool {
    guard let handlerCall, let stack = SwiftRuntime.returnAddresses() else { return true }
    return stack.contains(handlerCall)
  }

  /// Finds out how the runtime calls handlers, unless that is known.
  ///
  /// The first call must not be made inside a simulation's step.
  static func prepare() { _ = handlerCall }

  /// The place from which the runtime calls handlers, or `nil` if it is unknown.
  private static let handlerCall: UInt? = {
    let stacks = Locked<[[UInt]]>([])
    @Sendable func record() {
      if let stack = SwiftRuntime.returnAddresses() { stacks.withLock { $0.append(stack) } }
    }
    @Sendable func cancel(_ handler: @escaping @Sendable () -> Void) async {
      let task = Simulation.task {
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
        } onCancel: {
          handler()
        }
      }
      await Task.yield()
      task.cancel()
    }
    _ = SimulatedExecutor.run(.fifo, maxSteps: 100, .ofProbe, canProve: false) {
      await cancel { record() }
      await cancel {
        // The two handlers must not be the same code.
        record()
        stacks.withLock { $0.reserveCapacity(3) }
      }
      record()
    }
    let found = stacks.withLock { $0 }
    guard found.count == 3 else { return nil }
    return found[0].dropFirst().first { found[1].contains($0) && !found[2].contains($0) }
  }()
}
