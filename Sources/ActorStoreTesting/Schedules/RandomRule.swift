import SeededRandom

/// Chooses among all candidates at random.
///
/// With a quarter of the seeds, all tasks have the same chance. With the other seeds, each task has a weight, so that
/// some tasks hardly ever run while others take turns.
struct RandomRule: Sendable {
  private var generator: SplitMix64
  /// The weights of the tasks.
  private var weights: [Int] = []
  /// The weights from which each task gets one.
  ///
  /// There are none if all tasks have the same chance.
  private let choices: [Int]
  /// Another task can run at one of this many points.
  ///
  /// A call has several points, and most do not matter.
  private let choosesOneIn: Int
  /// Another task can run at one of this many points at which only some tasks matter.
  private static let choosesLimitedOneIn = 64
  /// One of this many decisions wakes a sleeper early, or none if the number is 0.
  private let wakesOneIn: Int

  init(seed: UInt64) {
    generator = SplitMix64(seed)
    wakesOneIn = [0, 2, 8, 32][generator.below(4)]
    choosesOneIn = [3, 9][generator.below(2)]
    choices = [[], [1, 8, 64], [1, 64, 64, 64], [1, 64, 64, 64]][generator.below(4)]
  }

  /// Whether the rule must tell tasks apart.
  var needsTasks: Bool { !choices.isEmpty }

  /// Returns whether the running task continues at a point, regardless of which other tasks are ready.
  ///
  /// - Parameter isLimited: Whether only some tasks matter at the point.
  mutating func continuesAtPoint(isLimited: Bool) -> Bool {
    generator.below(isLimited ? Self.choosesLimitedOneIn : choosesOneIn) > 0
  }

  mutating func choose(among candidates: borrowing Chooser.Candidates) -> Int {
    let awake = candidates.count - candidates.sleepers
    if candidates.sleepers > 0, wakesOneIn > 0, generator.below(wakesOneIn) == 0 || awake == 0 {
      return awake + generator.below(candidates.sleepers)
    }
    if awake < 2 { return 0 }
    return choices.isEmpty ? generator.below(awake) : weighted(candidates.tasks, awake)
  }

  private mutating func weighted(_ tasks: borrowing [Int], _ count: Int) -> Int {
    var sum = 0
    for index in 0..<count { sum += weight(of: tasks[index]) }
    var rest = generator.below(sum)
    for index in 0..<count {
      rest -= weights[tasks[index]]
      if rest < 0 { return index }
    }
    return count - 1
  }

  private mutating func weight(of task: Int) -> Int {
    while weights.count <= task { weights.append(choices[generator.below(choices.count)]) }
    return weights[task]
  }
}
