import Testing

@testable import ActorStoreTesting

/// The conditions under which a deadlock is reported as proven.
@Suite struct ProofTests {
  private let stuck: @Sendable () async -> Void = {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test func escapesAreVisibleInThisRuntime() {
    #expect(EscapeProbe.seesEscapes)
  }

  @Test func deadlockIsNotProvenIfEscapesAreInvisible() {
    #expect(SimulatedExecutor.run(.fifo, maxSteps: 10, canProve: false, stuck).verdict == .stalled)
    #expect(SimulatedExecutor.run(.fifo, maxSteps: 10, canProve: true, stuck).verdict == .deadlock)
  }

  @Test func stallIsReportedAsNotProven() {
    let report = FailureReport(
      verdict: .stalled, error: nil, strategy: .fifo, schedulesRun: 1, decisionsFound: [], schedule: "v1:",
      recording: Recording())
    #expect(report.text.contains("not proven"))
  }
}
