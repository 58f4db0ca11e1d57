import Testing

@testable import ActorStoreTesting

/// Compares the exhaustive search with known numbers of schedules.
@Suite struct ExhaustiveSearchTests {
  private struct Found {
    var orders: [[Int]] = []
    var preemptions: [Int] = []
  }

  /// Runs every schedule of tasks with the given numbers of steps.
  private func explore(_ steps: [Int], maxPreemptions: Int?) -> Found {
    var search = ExhaustiveSearch(maxPreemptions: maxPreemptions)
    var found = Found()
    while let script = search.script {
      var chooser = Chooser(.search(script))
      found.orders.append(chooser.order(ofTasksWith: steps))
      found.preemptions.append(chooser.choices.count(where: \.preempts))
      search.advance(past: chooser.choices)
    }
    return found
  }

  @Test(arguments: [([1, 1], 2), ([2, 2], 6), ([3, 3], 20), ([2, 2, 2], 90), ([1, 2, 3], 60), ([4], 1)])
  func runsEveryScheduleOnce(_ steps: [Int], _ count: Int) {
    let found = explore(steps, maxPreemptions: nil)
    #expect(found.orders.count == count)
    #expect(Set(found.orders).count == count)
  }

  @Test(arguments: [[3, 3], [2, 2, 2], [1, 2, 3]], [0, 1, 2])
  func boundExcludesExactlySchedulesWithMorePreemptions(_ steps: [Int], _ bound: Int) {
    func preemptions(_ order: [Int]) -> Int {
      var left = steps
      var last: Int?
      return order.reduce(0) { count, task in
        let preempts = last.map { $0 != task && left[$0] > 0 } ?? false
        left[task] -= 1
        last = task
        return count + (preempts ? 1 : 0)
      }
    }
    let all = explore(steps, maxPreemptions: nil).orders
    let bounded = explore(steps, maxPreemptions: bound)
    #expect(Set(bounded.orders) == Set(all.filter { preemptions($0) <= bound }))
    #expect(bounded.orders.count == Set(bounded.orders).count)
    #expect(bounded.orders.map(preemptions) == bounded.preemptions)
  }

  @Test func firstScheduleHasNoPreemption() {
    #expect(explore([3, 3], maxPreemptions: 2).orders.first == [0, 0, 0, 1, 1, 1])
  }
}
