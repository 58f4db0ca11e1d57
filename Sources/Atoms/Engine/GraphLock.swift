import ActorStore

/// The lock of a graph.
///
/// A debug build counts the locked sections of each thread, so that tests can limit them.
struct GraphLock: ~Copyable, Sendable {
  private let lock = Locked(GraphState())

  @inline(__always)  // HP19
  borrowing func withLock<Result: Sendable>(_ body: (inout GraphState) -> Result) -> Result {
    CurrentThread.countSection()
    return lock.withLock(body)
  }

  @inline(__always)  // HP19
  borrowing func withLockBackingOff<Result: Sendable>(
    briefly: Bool = false, _ body: (inout GraphState) -> Result
  ) -> Result {
    CurrentThread.countSection()
    return lock.withLockBackingOff(briefly: briefly, body)
  }
}
