/// Whether on this runtime work can leave a simulation without being seen: only where it cannot is a deadlock proven.
enum EscapeProbe {
  static var seesEscapes: Bool { sawEscapes && SwiftRuntime.hooksAreInPlace }

  /// Found out by trying, once a process: hooks that exist may not be called.
  private static let sawEscapes: Bool = {
    func sees(_ escape: Simulation.Escape, _ body: @escaping @Sendable () async throws -> Void) -> Bool {
      SimulatedExecutor.run(.fifo, maxSteps: 100, canProve: false, body).executor.escape == escape
    }
    return sees(.unstructuredTask) { await Task.detached {}.value }
      && sees(.sleep) { try await Task.sleep(for: .nanoseconds(1)) }
      && sees(.mainActor) { await MainActor.run {} }
  }()
}
