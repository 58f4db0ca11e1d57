/// How long calls took, each: a histogram whose buckets grow with what is in them, as HdrHistogram's do.
///
/// A percentile is right to 1/32 of itself. Recording costs an addition; the memory does not grow.
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

  /// The latency that this share of the calls did not exceed; 0 of no calls.
  func percentile(_ share: Double) -> UInt64 {
    var left = Swift.max(1, Int((share * Double(count)).rounded(.up)))
    for (index, calls) in counts.enumerated() where calls > 0 {
      left -= calls
      if left <= 0 { return Swift.min(Self.greatest(in: index), max) }
    }
    return max
  }

  /// The small ones have a bucket each, and each power of two after that as many as they.
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

/// Some percentiles, in nanoseconds.
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
