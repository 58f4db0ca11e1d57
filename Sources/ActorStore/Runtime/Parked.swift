/// A task that waits to be resumed with a value.
///
/// These invariants make the unsafe continuation correct:
/// - A task is resumed at most once. Code that stores a `Parked` in a structure takes it out under that structure's
///   lock before resuming it.
/// - A task is resumed at least once. Every path out of the structure resumes it. The simulated schedules of the tests
///   verify this invariant, because a task that is never resumed is a deadlock there.
@safe @usableFromInline package struct Parked<Value: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Value, Never>

  @usableFromInline
  init(_ continuation: UnsafeContinuation<Value, Never>) {
    unsafe self.continuation = unsafe continuation
  }

  package func resume(returning value: Value) {
    guard Nesting.enter() else {
      return Nesting.putOff { [self] in unsafe continuation.resume(returning: value) }
    }
    unsafe continuation.resume(returning: value)
    Nesting.leave()
  }
}

/// Suspends the current task until the `Parked` that `body` receives is resumed.
@inlinable
@inline(__always)  // HP9
package func park<Value: Sendable>(_ body: (Parked<Value>) -> Void) async -> Value {
  await unsafe withUnsafeContinuation { unsafe body(Parked($0)) }
}
