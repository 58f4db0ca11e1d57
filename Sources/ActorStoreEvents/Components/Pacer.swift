import ActorStore

/// Delivers a debounced or throttled series of values.
///
/// It is an actor, because new values and the timer call it from different tasks, and it must deliver values in order
/// without holding a lock.
actor Pacer<Value: Sendable, C: Clock<Duration>> {
  private var stateMachine: PacerStateMachine<C.Instant, Value>
  private let clock: C
  private let onValue: @Sendable (Value) -> Void
  private var timer: Task<Void, Never>?

  init(_ pacing: Pacing, _ clock: C, _ onValue: @escaping @Sendable (Value) -> Void) {
    stateMachine = PacerStateMachine(pacing)
    self.clock = clock
    self.onValue = onValue
  }

  deinit { timer?.cancel() }

  func receive(_ value: Value) { perform(stateMachine.receive(value, at: clock.now)) }

  /// Delivers the pending value when the series has ended or the clock has failed.
  func flush() {
    if let value = stateMachine.flush() { onValue(value) }
  }

  private func wake() { perform(stateMachine.wake(at: clock.now)) }

  private func perform(_ step: PacerStateMachine<C.Instant, Value>.Step) {
    if let value = step.value { onValue(value) }
    guard let deadline = step.deadline else { return }
    timer = Task.inheritingExecutor { [clock, weak self] in
      do { try await clock.sleep(until: deadline, tolerance: nil) } catch {
        // The end of a series cancels the timer. Otherwise, the clock has failed, and the value must not be lost.
        if !Task.isCancelled { await self?.flush() }
        return
      }
      await self?.wake()
    }
  }
}
