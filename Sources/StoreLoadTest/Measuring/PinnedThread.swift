import Cores
import Foundation
import Synchronization

/// A thread that stays on one core, if the system can pin it.
final class PinnedThread: Sendable {
  private let pinned = Atomic(false)
  private let end = DispatchSemaphore(value: 0)

  /// Runs `body`, even if the thread cannot be pinned.
  init(to core: UInt32, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      pinned.store(pin_to_core(core), ordering: .relaxed)
      body()
      end.signal()
    }
  }

  /// Blocks the caller until the thread has run its body.
  ///
  /// Call it only once.
  func join() { end.wait() }

  /// Whether the thread was pinned to its core.
  ///
  /// The value is meaningful only after `join()`.
  var isPinned: Bool { pinned.load(ordering: .relaxed) }

  /// The cores that the current thread may use, or an empty array if the system does not pin threads.
  static var cores: [UInt32] { (0..<core_limit()).filter { may_run_on_core($0) } }
}
