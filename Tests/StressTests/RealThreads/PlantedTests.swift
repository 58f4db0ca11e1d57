import Foundation
import Testing

/// Planted faults that the sanitizers must find.
///
/// `.ci/sanitizers` runs these tests, and fails unless each fault is reported.
@Suite struct PlantedTests {
  private static let planted = ProcessInfo.processInfo.environment["ACTORSTORE_PLANT"]

  private final class Unprotected: @unchecked Sendable {
    var count = 0
    var other: Unprotected?
  }

  /// Several tasks write an unprotected variable for long enough to overlap.
  @Test(.enabled(if: planted == "race")) func race() async throws {
    let unprotected = Unprotected()
    try await RandomThreads.run(seed: 0) {
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<1_000_000 { unprotected.count += 1 } } }
      }
    }
  }

  /// Two objects retain each other, and nothing else refers to them.
  @Test(.enabled(if: planted == "leak")) func leak() {
    let (one, other) = (Unprotected(), Unprotected())
    (one.other, other.other) = (other, one)
  }

  /// Drops a continuation, which the runtime reports on standard error.
  @Test(.enabled(if: planted == "continuation")) func continuation() async {
    let lost = Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    for _ in 0..<100 { await Task.yield() }
    lost.cancel()
  }
}
