import Testing

@testable import ActorStoreTesting

@Suite struct RandomRuleTests {
  /// How often each of four tasks is chosen with one seed.
  private func counts(seed: UInt64) -> [Int] {
    var rule = RandomRule(seed: seed)
    let candidates = Chooser.Candidates(tasks: [0, 1, 2, 3], count: 4)
    var counts = [0, 0, 0, 0]
    for _ in 0..<1_000 { counts[rule.choose(among: candidates)] += 1 }
    return counts
  }

  @Test func someSeedsStarveATask() {
    let all = (0..<100 as Range<UInt64>).map(counts)
    #expect(all.contains { $0.min() ?? 0 > 150 }, "no seed gives each task the same chance")
    #expect(all.contains { $0.min() ?? 0 < 20 && $0.count { $0 > 200 } == 3 }, "no seed starves one task")
    #expect(all.allSatisfy { $0.allSatisfy { $0 > 0 } })
  }

  /// A sleeper wakes early with some seeds, and with others never.
  @Test func someSeedsWakeSleepersEarly() {
    let woken = (0..<40 as Range<UInt64>).map { seed in
      var rule = RandomRule(seed: seed)
      let candidates = Chooser.Candidates(tasks: [0, 1, 2], count: 3, sleepers: 1)
      return (0..<100).count { _ in rule.choose(among: candidates) == 2 }
    }
    #expect(woken.contains(0) && woken.contains { $0 > 25 })
  }

  @Test func mostPointsWithFewTasksThatMatterAreSkipped() {
    for seed in 0..<20 as Range<UInt64> {
      var rule = RandomRule(seed: seed)
      #expect((0..<1_000).count { _ in !rule.continuesAtPoint(isLimited: true) } < 100)
    }
  }
}
