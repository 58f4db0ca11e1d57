/// A histogram of the latencies of single calls.
///
/// As in HdrHistogram, buckets of longer latencies are wider. A percentile is never too low, and at most 1/32 too high.
/// Recording a latency takes constant time and no additional memory.
struct Latencies: Sendable {
  private static let subBuckets = 32
  private static let subBucketBits = 5

  private var counts = [Int](repeating: 0, count: (64 - subBucketBits + 1) * subBuckets)
  private(set) var count = 0
  private(set) var max: UInt64 = 0

  mutating func record(_ nanoseconds: UInt64) {
    counts[Self.bucket(of: nanoseconds)] += 1
    count += 1
    max = Swift.max(max, nanoseconds)
  }

  /// Adds all latencies of another histogram.
  mutating func add(_ other: Latencies) {
    for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
    count += other.count
    max = Swift.max(max, other.max)
  }

  /// Returns the latency that a share of the calls did not exceed, or 0 if there are no calls.
  func percentile(_ share: Double) -> UInt64 {
    var left = Swift.max(1, Int((share * Double(count)).rounded(.up)))
    for (index, calls) in counts.enumerated() where calls > 0 {
      left -= calls
      if left <= 0 { return Swift.min(Self.greatest(in: index), max) }
    }
    return max
  }

  /// Returns the index of the bucket for a latency.
  ///
  /// Each latency below `subBuckets` has its own bucket. From there on, each power of two has `subBuckets` buckets.
  private static func bucket(of nanoseconds: UInt64) -> Int {
    if nanoseconds < UInt64(subBuckets) { return Int(nanoseconds) }
    let exponent = 63 - nanoseconds.leadingZeroBitCount
    let shift = exponent - subBucketBits
    return (shift + 1) * subBuckets + Int(nanoseconds >> UInt64(shift)) - subBuckets
  }

  private static func greatest(in bucket: Int) -> UInt64 {
    if bucket < subBuckets { return UInt64(bucket) }
    let shift = UInt64(bucket / subBuckets - 1)
    let leading = UInt64(bucket % subBuckets + subBuckets)
    return ((leading + 1) << shift) &- 1
  }
}

/// Percentiles of latencies, in nanoseconds.
struct LatencySummary: Codable, Equatable, Sendable {
  let p50: UInt64
  let p99: UInt64
  let p999: UInt64
  let max: UInt64

  init?(_ latencies: Latencies) {
    if latencies.count == 0 { return nil }
    p50 = latencies.percentile(0.5)
    p99 = latencies.percentile(0.99)
    p999 = latencies.percentile(0.999)
    max = latencies.max
  }
}
