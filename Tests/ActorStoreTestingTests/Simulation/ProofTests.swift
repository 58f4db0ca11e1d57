import Testing

@testable import ActorStoreTesting

/// When a deadlock is called proven, and when it is not.
@Suite struct ProofTests {
  private let stuck: @Sendable () async -> Void = {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test func thisRuntimeShowsWhatLeaves() {
    #expect(EscapeProbe.seesEscapes)
  }

  @Test func whereWorkCouldLeaveUnseenNothingIsProven() {
    #expect(SimulatedExecutor.run(.fifo, maxSteps: 10, canProve: false, stuck).verdict == .stalled)
    #expect(SimulatedExecutor.run(.fifo, maxSteps: 10, canProve: true, stuck).verdict == .deadlock)
  }

  @Test func aStallDoesNotClaimToBeProven() {
    let report = FailureReport(
      verdict: .stalled, error: nil, strategy: .fifo, schedulesRun: 1, decisionsFound: [], schedule: "v1:",
      recording: Recording())
    #expect(report.text.contains("not proven"))
  }
}
