import Testing

@testable import ActorStore

/// Compares the counts with a plain array.
@Suite struct WaitingPrioritiesTests {
  private static let levels: [UInt8] = [0, 9, 21, 33]

  /// Visits each order in which up to six calls with four priorities come and go.
  @Test func matchesAnArrayInEveryOrder() {
    var visited: Set<[UInt8]> = []
    var reached: [WaitingPriorities: [UInt8]] = [:]
    func visit(_ priorities: WaitingPriorities, _ model: [UInt8]) {
      let model = model.sorted()
      for level in Self.levels {
        let higher = model.filter { $0 > level }
        if priorities.lent(to: level) != higher.max() { Issue.record("wrong for \(model)") }
      }
      // Equal contents are equal values, whatever the order of the steps.
      if reached.updateValue(model, forKey: priorities) ?? model != model { Issue.record("lost a call of \(model)") }
      guard visited.insert(model).inserted else { return }
      for level in Self.levels where model.count < 6 {
        var next = priorities
        next.insert(level)
        visit(next, model + [level])
      }
      for index in model.indices {
        var (next, rest) = (priorities, model)
        next.remove(rest.remove(at: index))
        visit(next, rest)
      }
    }
    visit(WaitingPriorities(), [])
    #expect(visited.count == 210)
    #expect(reached.count == 210)
  }

  @Test func lendsOnlyHigherPriorities() {
    var priorities = WaitingPriorities()
    for level: UInt8 in [21, 9, 21, 33] { priorities.insert(level) }
    #expect(priorities.lent(to: 9) == 33)
    #expect(priorities.lent(to: 33) == nil)
    priorities.remove(33)
    #expect(priorities.lent(to: 9) == 21)
    #expect(priorities.lent(to: 21) == nil)
  }
}
