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
    let order = [ready.next().entry, ready.next().entry, ready.next().entry]
    #expect(order == ["b", "c", "a"])
    #expect(ready.isEmpty && ready.steps == 3)
  }

  @Test func continuingTaskIsNotSuspended() {
    // The task at the point comes first among the tasks that can run.
    var ready = ready(.replay([0]), ["a", "b"])
    let stays = ready.staysAtPoint(7)
    #expect(stays)
    let next = ready.next().entry
    #expect(next == "a")
  }

  @Test func pointDecidesTheNextJob() {
    var ready = ready(.replay([2]), ["a", "b"])
    let stays = ready.staysAtPoint(7)
    ready.append("stopped", of: 7)
    let next = ready.next().entry
    #expect(!stays && next == "b")
    #expect(ready.chooser.choices.count == 1)
  }

  /// On an actor, a second task may come to a point before the first decision is carried out.
  @Test func pendingDecisionIsKept() {
    var ready = ready(.replay([2, 0]), ["a", "b"])
    let first = ready.staysAtPoint(7)
    ready.append("first", of: 7)
    let second = ready.staysAtPoint(8)
    ready.append("second", of: 8)
    #expect(!first && !second)
    #expect(ready.chooser.choices.count == 1)
    let next = ready.next().entry
    #expect(next == "b")
  }

  @Test func skippedPointNeedsNoDecision() {
    var ready = ready(.replay([1]), ["a"])
    ready.skipsNextPoint = true
    let stays = [ready.staysAtPause(7), ready.staysAtPause(7)]
    #expect(stays == [true, false] && ready.steps == 1)
  }

  @Test func nextStepSkipsNoPoint() {
    var ready = ready(.fifo, ["a"])
    ready.skipsNextPoint = true
    _ = ready.next()
    let skips = ready.skipsPoint()
    #expect(!skips)
  }

  @Test(arguments: [1, 2]) func nothingFollowsTheLastStep(maxSteps: Int) {
    var ready = ReadyJobs<String>(.fifo, maxSteps: maxSteps)
    ready.append("a", of: 0)
    // The decision is the first step.
    let stays = ready.staysAtPause(7)
    let next = ready.nextIfOpen()?.entry
    #expect(stays == (maxSteps > 1) && next == (maxSteps > 1 ? "a" : nil))
  }

  @Test func nothingFollowsTheEnd() {
    var ready = ready(.fifo, ["a"])
    ready.isClosed = true
    let (stays, next) = (ready.staysAtPause(7), ready.nextIfOpen()?.entry)
    #expect(!stays && next == nil && !ready.isEmpty)
  }

  @Test func onlyTaskContinues() {
    var ready = ready(.random(RandomRule(seed: 1)), [])
    let stays = ready.staysAtPoint(0)
    #expect(stays && ready.chooser.choices.isEmpty && ready.steps == 1)
  }
}

extension ReadyJobs.Next {
  /// The job, or `nil` for a sleeper.
  fileprivate var entry: Entry? { if case .entry(let entry) = self { entry } else { nil } }
}
