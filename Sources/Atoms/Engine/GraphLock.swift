import ActorStore
import Synchronization

/// The lock of a graph.
///
/// Except in `withLockToSet`, each section first closes the open atoms (see `DirectSets`). A debug build counts the
/// locked sections of each thread, so that tests can limit them.
struct GraphLock: ~Copyable, Sendable {
  // `revision` is directly before `lock`, because a set under the lock writes both it and the state (HP24).

  /// The newest revision.
  ///
  /// A change becomes visible to readers without the lock when this number increases. At that moment, every cell that
  /// the change affects is already invalid.
  let revision = Atomic<Revision>(0)
  private let lock = Locked(GraphState())

  @inline(__always)  // HP19
  borrowing func withLock<Result: Sendable>(_ body: (inout GraphState) -> Result) -> Result {
    CurrentThread.countSection()
    return lock.withLock { state in
      closeAtoms(&state)
      return body(&state)
    }
  }

  @inline(__always)  // HP19
  borrowing func withLockBackingOff<Result: Sendable>(
    briefly: Bool = false, _ body: (inout GraphState) -> Result
  ) -> Result {
    CurrentThread.countSection()
    return lock.withLockBackingOff(briefly: briefly) { state in
      closeAtoms(&state)
      return body(&state)
    }
  }

  /// Runs a closure in a section that does not begin by closing the open atoms.
  ///
  /// The closure makes an unseen set of an atom that is not open. Otherwise, it calls `closeAtoms` before it uses
  /// anything that a direct set can change.
  @inline(__always)  // HP26
  borrowing func withLockToSet<Result: Sendable>(_ body: (inout GraphState) -> Result) -> Result {
    CurrentThread.countSection()
    return lock.withLockBackingOff(body)
  }
}
