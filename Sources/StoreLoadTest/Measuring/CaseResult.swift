/// What was measured of one case.
struct CaseResult: Codable, Equatable, Sendable {
  struct Baseline: Codable, Equatable, Sendable {
    let name: String
    let nanosecondsPerOperation: Spread
  }

  /// The name of the scenario.
  let name: String
  let `case`: String
  let operations: Int
  var nanosecondsPerOperation: Spread?
  var latencyNanoseconds: LatencySummary?
  var baseline: Baseline?
  /// To the baseline: the middle, the best and the worst of all rounds.
  var ratio: Spread?
  /// The most memory the process had in use while the case ran.
  var peakMemoryBytes: Int?
  /// Of the heap, of what the case's name says.
  var heapBytes: Int?
  let violations: Int
}

/// What a case hands to who runs it.
struct Figures: Sendable {
  var operations = 0
  var nanoseconds: Spread?
  var baseline: CaseResult.Baseline?
  var ratio: Spread?
  var latencies: Latencies?
  var heapBytes: Int?
}
