/// Checks whether this runtime reports work that leaves a simulation.
///
/// A deadlock is proven only if it does.
enum EscapeProbe {
  static var seesEscapes: Bool { sawEscapes && SwiftRuntime.hooksAreInPlace }

  /// The result of trying each escape, once per process.
  ///
  /// Hooks may exist without being called.
  private static let sawEscapes: Bool = {
    func sees(_ escape: Simulation.Escape, _ body: @escaping @Sendable () async throws -> Void) -> Bool {
      SimulatedExecutor.run(.fifo, maxSteps: 100, .ofProbe, canProve: false, body).executor.escape == escape
    }
    return sees(.unstructuredTask) { await Task.detached {}.value }
      && sees(.sleep) { try await Task.sleep(for: .nanoseconds(1)) }
      && sees(.mainActor) { await MainActor.run {} }
  }()
}
