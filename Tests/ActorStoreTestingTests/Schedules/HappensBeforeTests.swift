import Testing

@testable import ActorStoreTesting

/// The races of short runs.
@Suite struct HappensBeforeTests {
  private func step(_ task: Int, of ready: [Int] = [0, 1, 2], reads: [UInt64] = [], writes: [UInt64] = []) -> Step {
    var step = Step(ready: ready, choice: ready.firstIndex(of: task) ?? 0)
    step.accesses += reads.map { Step.Access(object: $0, isWrite: false) }
    step.accesses += writes.map { Step.Access(object: $0, isWrite: true) }
    return step
  }

  /// Returns the races of each step.
  private func races(_ steps: [Step]) -> [[Int]] {
    var order = HappensBefore(taskCount: 3)
    return steps.map { order.append($0) }
  }

  @Test func onlyConflictingStepsRace() {
    #expect(races([step(0, reads: [7]), step(1, reads: [7])]) == [[], []])
    #expect(races([step(0, writes: [7]), step(1, writes: [8])]) == [[], []])
    #expect(races([step(0, writes: [7]), step(1, reads: [7])]) == [[], [0]])
    #expect(races([step(0, reads: [7]), step(1, writes: [7])]) == [[], [0]])
    #expect(races([step(0, writes: [7]), step(0, writes: [7])]) == [[], []])
  }

  @Test func aWriteRacesWithEachReadSinceTheLastWrite() {
    let steps = [step(0, writes: [7]), step(0, reads: [7]), step(1, reads: [7]), step(2, writes: [7])]
    #expect(races(steps) == [[], [], [0], [2, 1]])
  }

  @Test func aStepInBetweenPreventsARace() {
    let steps = [step(0, writes: [7]), step(1, writes: [7, 8]), step(2, writes: [8]), step(2, writes: [7])]
    #expect(races(steps) == [[], [0], [1], []])
  }

  @Test func anOpaqueStepRacesWithTheLastStepOfEachTask() {
    var opaque = step(2)
    opaque.isOpaque = true
    #expect(races([step(0), step(0), step(1), opaque, step(1)]) == [[], [], [], [2, 1], [3]])
  }

  @Test func aTaskDoesNotRaceWithTheStepThatMakesItReady() {
    let steps = [
      step(0, of: [0], writes: [7]), step(0, of: [0, 1], reads: [8]), step(1, of: [0, 1], writes: [7, 8]),
    ]
    #expect(races(steps) == [[], [], [1]])
  }

  @Test func noRaceCrossesAnAdvanceOfTheTime() {
    var later = step(1, of: [1, 2], writes: [7])
    later.isBarrier = true
    #expect(races([step(0, writes: [7]), later, step(2, of: [2], writes: [7])]) == [[], [], [1]])
  }

  /// The write of task 2 needs the step of task 1 before it, unless their own race is the one to reverse.
  @Test func reversedRaceBeginsWithTheStepsThatTheLaterOneNeeds() {
    var order = HappensBefore(taskCount: 3)
    _ = order.append(step(0, writes: [7]))
    _ = order.append(step(1, writes: [8]))
    #expect(order.append(step(2, writes: [7, 8])) == [1, 0])
    #expect(order.initials(reversing: 0) == [1])
    #expect(order.initials(reversing: 1) == [2])
  }
}
