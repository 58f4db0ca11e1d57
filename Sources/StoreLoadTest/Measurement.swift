/// One line of the result.
struct Row {
  let name: String
  var operations = 0
  var nanoseconds: Spread?
  var baseline: Spread?
  var ratio: Spread?
  /// Memory, of what the name says.
  var bytes: Int?
  var violations = 0
}

/// The least, the middle and the greatest of some figures.
struct Spread {
  let min: Double
  let median: Double
  let max: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    min = sorted.first ?? 0
    median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    max = sorted.last ?? 0
  }
}

/// How long one operation took, in nanoseconds.
@concurrent
func nanosecondsPerOperation(_ operations: Int, _ body: @Sendable () async -> Void) async -> Double {
  let elapsed = await ContinuousClock().measure { await body() }.components
  return (Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9) / Double(operations)
}

/// Times a subject and its baseline in turn, so that both meet the machine in the same mood; what counts is the median
/// of the ratios of each pair.
func compare(
  rounds: Int,
  operations: Int,
  baseline: @Sendable () async -> Void,
  subject: @Sendable () async -> Void
) async -> (nanoseconds: Spread, baseline: Spread, ratio: Spread) {
  var subjects: [Double] = []
  var baselines: [Double] = []
  for _ in 0..<rounds {
    baselines.append(await nanosecondsPerOperation(operations, baseline))
    subjects.append(await nanosecondsPerOperation(operations, subject))
  }
  return (Spread(subjects), Spread(baselines), Spread(zip(subjects, baselines).map { $0 / $1 }))
}

/// Something to do between calls: without it the optimiser takes part of a bare actor's call away.
@inline(never)
func work(_ seed: Int, _ rounds: Int) -> Int {
  var value = seed
  for round in 0..<rounds { value = value &* 31 &+ round }
  return value
}

/// Runs `body` in so many tasks at once; a single one runs in the current task.
func inTasks(_ count: Int, _ body: @escaping @Sendable (_ task: Int) async -> Void) async {
  if count == 1 { return await body(0) }
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<count { group.addTask { await body(task) } }
  }
}
