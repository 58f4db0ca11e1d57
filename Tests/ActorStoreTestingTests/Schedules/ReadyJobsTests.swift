import SeededRandom
import Testing

@testable import ActorStoreTesting

/// The choice of the next job, and the decision to continue the running task.
@Suite struct ReadyJobsTests {
  private func ready(_ rule: Chooser.Rule, _ entries: [String]) -> ReadyJobs<String> {
    var ready = ReadyJobs<String>(rule)
    for (task, entry) in entries.enumerated() { ready.append(entry, of: task) }
    return ready
  }

  @Test func takesTheChosenJob() {
    var ready = ready(.replay([1, 1]), ["a", "b", "c"])
    let order = [ready.next(), ready.next(), ready.next()]
    #expect(order == ["b", "c", "a"])
    #expect(ready.isEmpty && ready.steps == 3)
  }

  @Test func continuingTaskIsNotSuspended() {
    // The task that asks comes last among the tasks that can run.
    var ready = ready(.replay([2]), ["a", "b"])
    let goesOn = ready.goesOn(7)
    #expect(goesOn)
    let next = ready.next()
    #expect(next == "a")
  }

  @Test func yieldingTaskDecidesTheNextJob() {
    var ready = ready(.replay([1]), ["a", "b"])
    let goesOn = ready.goesOn(7)
    ready.append("asked", of: 7)
    let next = ready.next()
    #expect(!goesOn && next == "b")
    #expect(ready.chooser.choices.count == 1)
  }

  /// On an actor, a second task may ask before the first decision is carried out.
  @Test func pendingDecisionIsKept() {
    var ready = ready(.replay([1, 0]), ["a", "b"])
    let first = ready.goesOn(7)
    ready.append("first", of: 7)
    let second = ready.goesOn(8)
    ready.append("second", of: 8)
    #expect(!first && !second)
    #expect(ready.chooser.choices.count == 1)
    let next = ready.next()
    #expect(next == "b")
  }

  @Test func onlyTaskContinues() {
    var ready = ready(.random(SplitMix64(1)), [])
    let goesOn = ready.goesOn(0)
    #expect(goesOn && ready.chooser.choices.isEmpty && ready.steps == 1)
  }
}
