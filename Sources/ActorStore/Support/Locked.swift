import Synchronization

/// The one lock of the library: a value that can be reached only while the lock is held.
///
/// Under the lock nothing of the user's runs (P10): no closure, no resume of a continuation, no release of a state, an
/// action or an error, whose `deinit` might be theirs. What is to be done with such a thing is returned from the
/// section and done after it.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) {
    mutex = Mutex(value)
  }

  @inline(__always)
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}
