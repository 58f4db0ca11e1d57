import Foundation
import Testing

/// Faults planted on purpose, which the sanitizers must find: `.ci/sanitizers` runs them and wants to see them fail.
@Suite struct PlantedTests {
  private static let planted = ProcessInfo.processInfo.environment["ACTORSTORE_PLANT"]

  private final class Unprotected: @unchecked Sendable {
    var count = 0
    var other: Unprotected?
  }

  /// Some tasks write what nothing protects, for long enough to do so at the same time.
  @Test(.enabled(if: planted == "race")) func race() async throws {
    let unprotected = Unprotected()
    try await RandomThreads.run(seed: 0) {
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<1_000_000 { unprotected.count += 1 } } }
      }
    }
  }

  /// Two objects keep each other, and nobody else does.
  @Test(.enabled(if: planted == "leak")) func leak() {
    let (one, other) = (Unprotected(), Unprotected())
    (one.other, other.other) = (other, one)
  }

  /// A continuation is dropped, which standard error tells.
  @Test(.enabled(if: planted == "continuation")) func continuation() async {
    let lost = Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    for _ in 0..<100 { await Task.yield() }
    lost.cancel()
  }
}
