import ActorStoreTesting
import Testing

/// Each sample that awaits keeps its claim, and leaves nothing behind, if it is canceled, closed, or refused.
@Suite struct InterruptedSampleTests {
  /// The documents without an interrupted sample, and the reasons.
  private static let leftOut = [
    "ActorStore": "creates its own store, and claims nothing after a dispatch",
    "ActorStoreEvents": "is a test",
    "ActorStoreEventsTesting": "is a test",
    "ActorStoreHistory": "creates its own store, and claims nothing after a dispatch",
    "ActorStoreTesting": "is a simulation",
    "Atoms": "has no store",
    "AtomsTesting": "is a test",
    "ComingFromAtom": "is a test",
    "ComingFromAtoms": "has no store",
    "DrivingAScreenByProps": "is a simulation",
    "FindingTheSchedule": "is a simulation of stores that sell a ticket twice or deadlock on purpose",
    "LoggingAndMetrics": "claims nothing after a dispatch",
    "NavigatingByState": "is a test, and a screen that claims nothing after a dispatch",
    "TestingYourStore": "is a test of a group that the article calls wrong",
    "VectorsInAsyncFunctions": "has no store",
  ]

  @Test(arguments: InterruptedSample.all, Interruption.allCases)
  func keepsItsClaim(_ sample: InterruptedSample, in interruption: Interruption) throws {
    try sample.explore(interruption)
  }

  @Test(arguments: InterruptedSample.loops, [Interruption.cancellation, .closing])
  func aLoopEndsWithItsTaskAndItsStore(_ sample: InterruptedSample, with end: Interruption) throws {
    try sample.explore(end)
  }

  @Test(arguments: InterruptedSample.loopsOfATask) func aLoopEndsWithItsTask(_ sample: InterruptedSample) throws {
    try sample.explore(.cancellation)
  }

  /// With an interruption, the test `keepsItsClaim` fails for a sample that discards an outcome.
  @Test(arguments: Interruption.allCases) func findsADiscardedOutcome(in interruption: Interruption) throws {
    let sample = InterruptedSample.carelessTransfer
    if interruption == .none { return try sample.explore(interruption) }
    #expect(throws: Simulation.Failure.self) { try sample.explore(interruption) }
  }

  @Test func everyDocumentThatAwaitsIsInterrupted() throws {
    let samples = InterruptedSample.all + InterruptedSample.loops + InterruptedSample.loopsOfATask
    let interrupted = Set(samples.map { String($0.testDescription.prefix { $0 != ":" }) })
    let awaiting = try DocumentTests.documents.map(\.path).filter { path in
      DocumentTests.swiftBlocks(try Project.text(path)).contains { $0.contains("await ") }
    }
    let names = Set(awaiting.map { String($0.split(separator: "/").last!.dropLast(3)) })
    #expect(
      names == interrupted.union(Self.leftOut.keys),
      "Interrupt a sample of each document that awaits, or add the document to `leftOut` with the reason.")
    #expect(interrupted.isDisjoint(with: Self.leftOut.keys))
  }
}
