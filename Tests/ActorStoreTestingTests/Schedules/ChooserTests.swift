import Testing

@testable import ActorStoreTesting

/// The rules that choose the next task, tested without tasks.
@Suite struct ChooserTests {
  private func order(_ rule: Chooser.Rule, steps: [Int]) -> [Int] {
    var chooser = Chooser(rule)
    return chooser.order(ofTasksWith: steps)
  }

  @Test func firstComeFirstServed() {
    #expect(order(.fifo, steps: [2, 2, 1]) == [0, 1, 2, 0, 1])
  }

  @Test func seedDeterminesTheOrder() {
    let steps = [3, 3, 3]
    let orders = (0..<200).map { order(.random(RandomRule(seed: $0)), steps: steps) }
    #expect(orders == (0..<200).map { order(.random(RandomRule(seed: $0)), steps: steps) })
    #expect(Set(orders).count > 100)
  }

  /// Each task starts another one and ends, while a task with a lowered priority waits.
  @Test func prioritiesBecomeFairToATaskAmongNewOnes() {
    var rule = PriorityRule(seed: 1, depth: 2, length: 10)
    rule.standBack(0)
    let first = (1..<2_000).first { task in
      let isWaiting = rule.highest(of: [0, task]) == 1
      rule.ran(isWaiting ? task : 0, step: task)
      return !isWaiting
    }
    #expect(first.map { $0 > 1_000 && $0 < 1_200 } == true, "\(String(describing: first))")
  }

  /// A schedule omits its last zeros, even if a task continues at more points than the other rules allow.
  @Test func replayDecidesZeroAfterItsScript() {
    var replay = Chooser(.replay([1]))
    let choices = (0..<100).map { replay.choose(among: [0, 1], step: $0, .atPoint) }
    #expect(choices == [1] + Array(repeating: 0, count: 99))
    var fifo = Chooser(.fifo)
    #expect((0..<100).contains { fifo.choose(among: [0, 1], step: $0, .atPoint) == 1 })
  }

  @Test func decisionsReplayTheRun() {
    for seed in 0..<50 as Range<UInt64> {
      var chooser = Chooser(.priorities(PriorityRule(seed: seed, depth: 3, length: 9)))
      let first = chooser.order(ofTasksWith: [3, 3, 3])
      var again = Chooser(.replay(chooser.choices.map(\.index)))
      #expect(again.order(ofTasksWith: [3, 3, 3]) == first)
      #expect(!again.hasDiverged && again.unusedDecisions == 0)
    }
  }

  @Test func mismatchedScriptIsDetected() {
    var tooWide = Chooser(.replay([0, 7]))
    _ = tooWide.order(ofTasksWith: [2, 2])
    #expect(tooWide.hasDiverged)
    var tooLong = Chooser(.replay([0, 0, 0, 0, 0, 1]))
    _ = tooLong.order(ofTasksWith: [2, 2])
    #expect(tooLong.unusedDecisions == 1)
  }

  @Test func depthOneRunsEachTaskToItsEnd() {
    var orders: Set<[Int]> = []
    for seed in 0..<100 as Range<UInt64> {
      let order = order(.priorities(PriorityRule(seed: seed, depth: 1, length: 9)), steps: [3, 3, 3])
      #expect(zip(order, order.dropFirst()).count { $0 != $1 } == 2)
      orders.insert(order)
    }
    #expect(orders.count == 6)
  }

  @Test func depthLimitsTheNumberOfSwitches() {
    func switches(depth: Int) -> Int {
      (0..<200 as Range<UInt64>).map { seed in
        let order = order(.priorities(PriorityRule(seed: seed, depth: depth, length: 12)), steps: [6, 6])
        return zip(order, order.dropFirst()).count { $0 != $1 }
      }.max() ?? 0
    }
    #expect(switches(depth: 1) == 1)
    #expect(switches(depth: 2) == 2)
    #expect(switches(depth: 3) == 3)
  }

  /// At depth 1, a given task starts after the 7 others end in one of 8 schedules (Burckhardt et al.).
  ///
  /// If the next task is chosen at random, that almost never happens.
  @Test func depthOneDelaysATaskUntilTheOthersEnd() {
    func isLast(_ rule: (UInt64) -> Chooser.Rule) -> Int {
      (0..<400 as Range<UInt64>).count { seed in
        let order = order(rule(seed), steps: Array(repeating: 10, count: 8))
        return order.firstIndex(of: 0).map { $0 == 70 } ?? false
      }
    }
    #expect(isLast { .priorities(PriorityRule(seed: $0, depth: 1, length: 80)) } > 25)
    #expect(isLast { .random(RandomRule(seed: $0)) } < 25)
  }

  /// A task may wait for another one by polling, so the other one must eventually get a step.
  @Test func pollingTaskDoesNotStarveOthers() {
    let rules: [Chooser.Rule] = [
      .priorities(PriorityRule(seed: 1, depth: 1, length: 10)),
      .priorities(PriorityRule(seed: 2, depth: 1, length: 10)),
      .search([]), .search([1]),
    ]
    for rule in rules {
      var chooser = Chooser(rule)
      var others = 0
      var ready = [0, 1]
      for step in 0..<1_000 {
        let task = ready.remove(at: chooser.choose(among: ready, step: step))
        if task == 1 { others += 1 }
        ready.append(task)
      }
      #expect(others > 0 && others < 1_000)
    }
  }
}
