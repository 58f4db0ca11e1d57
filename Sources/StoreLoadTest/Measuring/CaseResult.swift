/// The measurements of one case.
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
  /// The ratios of all rounds to the baseline.
  var ratio: Spread?
  /// The peak resident memory of the process while the case ran.
  var peakMemoryBytes: Int?
  /// The heap memory that the case measured, such as that of one subscriber.
  var heapBytes: Int?
  /// The operations of a case with many kinds of them.
  var kinds: [OperationKind]?
  let violations: Int
  /// The limit that the case missed, if any.
  var missedLimit: MissedLimit?
}

/// The figures that a case returns to the session.
struct Figures: Sendable {
  var operations = 0
  var nanoseconds: Spread?
  var baseline: CaseResult.Baseline?
  var ratio: Spread?
  var latencies: Latencies?
  var heapBytes: Int?
  var kinds: [OperationKind]?
}

/// One of many kinds of operations in a case.
struct OperationKind: Codable, Equatable, Sendable {
  let name: String
  let operations: Int
  /// The duration of the longest operation, if it was measured.
  var longestNanoseconds: UInt64?
}
