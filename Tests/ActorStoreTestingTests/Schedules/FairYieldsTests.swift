import Testing

@testable import ActorStoreTesting

@Suite struct FairYieldsTests {
  @Test func aTaskRestsAfterTwoYieldsUntilTheOthersHaveRun() {
    var yields = FairYields()
    yields.yield(0, ready: [0, 1, 2])
    #expect(!yields.isResting && !yields.rests(0))
    yields.ran(0, ready: [1, 2])
    yields.yield(0, ready: [0, 1, 2])
    #expect(yields.isResting && yields.rests(0) && !yields.rests(1))
    yields.ran(1, ready: [0, 2])
    #expect(yields.rests(0), "task 2 has not run")
    yields.ran(2, ready: [0])
    #expect(!yields.isResting)
  }

  /// A task that is not ready anymore is not worth waiting for.
  @Test func aTaskThatSuspendsEndsTheRest() {
    var yields = FairYields()
    for _ in 0..<2 { yields.yield(0, ready: [0, 1]) }
    #expect(yields.rests(0))
    yields.ran(1, ready: [0])
    #expect(!yields.rests(0))
  }

  @Test func aTaskThatLetsOthersRunInBetweenDoesNotRest() {
    var yields = FairYields()
    for _ in 0..<10 {
      yields.yield(0, ready: [0, 1])
      yields.ran(1, ready: [0])
    }
    #expect(!yields.isResting)
  }
}
