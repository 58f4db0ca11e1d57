import ActorStore
import ActorStoreTesting
import Synchronization
import Testing

/// An interruption of a sample, at a point that the schedule chooses.
enum Interruption: CaseIterable {
  case none
  /// The task of the sample is canceled.
  case cancellation
  /// Other tasks close the sample's stores, each at its own point.
  case closing
  /// A guard of each store refuses every action for a few steps.
  case veto
}

/// A sample, and a check of what it claims.
struct InterruptedSample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let body: @Sendable (SampleRun) async throws -> Void

  init(_ name: String, body: @escaping @Sendable (SampleRun) async throws -> Void) {
    (testDescription, self.body) = (name, body)
  }

  /// Interrupts the sample in 300 schedules, and throws the first failure.
  func explore(_ interruption: Interruption) throws(Simulation.Failure) {
    try Simulation.explore(.mixed(seed: 1), schedules: 300) { [body] in
      try await body(SampleRun(interruption))
    }
  }
}

/// One run of a sample.
final class SampleRun: Sendable {
  /// The steps of an interruption that affect one store of the sample.
  private struct Target {
    let close, refuse, admit: @Sendable () -> Void
    let drain: @Sendable () async throws -> Void
  }

  let interruption: Interruption
  private let targets = Mutex<[Target]>([])

  init(_ interruption: Interruption) { self.interruption = interruption }

  /// Creates a store that the interruption reaches.
  func store<State: Sendable>(
    _ state: State, guards: [any ReportGuard<State>] = [], middleware: [any Middleware<State>] = []
  ) -> Store<State> {
    let gate = Gate<State>()
    let store = Store(
      state, guards: interruption == .veto ? [gate] + guards : guards, middleware: middleware,
      onUnhandledFailure: { _ in })
    let target = Target(close: store.close, refuse: gate.close, admit: gate.open) {
      // This check comes first, because closing the store would end a leftover stream.
      try Simulation.expect(store.subscriberCount == 0, "a stream is left")
      try await store.closeAndDrain()
    }
    targets.withLock { $0.append(target) }
    return store
  }

  /// Runs a sample, interrupts it, and returns its result when its stores have nothing left to do.
  ///
  /// Without an interruption, the sample must not throw. If a sample hangs, the simulation reports a deadlock.
  func result<Value: Sendable>(
    of sample: @escaping @Sendable () async throws -> Value
  ) async throws -> Result<Value, any Error> {
    let task = Simulation.task { try await sample() }
    let targets = targets.withLock { $0 }
    await withTaskGroup { group in
      if interruption == .cancellation { group.addTask { task.cancel() } }
      for target in targets {
        if interruption == .closing { group.addTask { target.close() } }
        if interruption == .veto {
          group.addTask {
            target.refuse()
            for _ in 0..<3 { await Task.yield() }
            target.admit()
          }
        }
      }
    }
    let result = await task.result
    for target in targets { try await target.drain() }
    if interruption == .none { _ = try result.get() }
    return result
  }

  /// Expects that the loading flag is reset, unless the guard can refuse the action that resets it.
  func expectEndOfLoading(_ isLoading: Bool) throws {
    try Simulation.expect(!isLoading || interruption == .veto, "still loading")
  }
}

/// A guard that refuses every action while it is closed.
private final class Gate<State: Sendable>: Guard {
  private let isClosed = Mutex(false)

  func close() { isClosed.withLock { $0 = true } }
  func open() { isClosed.withLock { $0 = false } }

  func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    isClosed.withLock { $0 } ? Veto("interrupted") : nil
  }
}

extension Result {
  /// Whether the sample returned, which claims that its changes are committed.
  var isSuccess: Bool { if case .success = self { true } else { false } }
}
