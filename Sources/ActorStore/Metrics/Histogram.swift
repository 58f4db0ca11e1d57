/// A histogram of durations in nanoseconds, which takes 2 KB however many it counts.
///
/// Zero has a bucket of its own, because most actions do not wait. The values after each power of two, up to and
/// including the next one, share four buckets of the same width. A quantile is the middle of a bucket, so it differs
/// from the exact value by at most an eighth of it.
struct Histogram: Hashable, Sendable {
  static let bucketCount = 253

  private var counts = [UInt64](repeating: 0, count: bucketCount)
  /// The sum of the values, or the largest integer if the sum is larger.
  private(set) var sum: UInt64 = 0
  private(set) var largest: UInt64 = 0

  /// The number of values.
  var count: UInt64 { counts.reduce(0, addSaturating) }

  mutating func add(_ value: UInt64) {
    // A program cannot count to the largest integer one by one.
    counts[Self.bucket(of: value)] &+= 1
    sum = addSaturating(sum, value)
    if value > largest { largest = value }
  }

  mutating func merge(_ other: Histogram) {
    for (bucket, count) in other.counts.enumerated() where count > 0 {
      counts[bucket] = addSaturating(counts[bucket], count)
    }
    sum = addSaturating(sum, other.sum)
    largest = max(largest, other.largest)
  }

  /// Returns approximately the smallest value that at least this many thousandths of the values do not exceed.
  ///
  /// The result never exceeds the largest value. If there are no values, it is 0.
  func quantile(perMille: UInt64) -> UInt64 {
    let count = count
    // The rank, rounded up, without overflow.
    let rank = count / 1_000 * perMille + (count % 1_000 * perMille + 999) / 1_000
    var passed: UInt64 = 0
    for (bucket, count) in counts.enumerated() where count > 0 {
      passed = addSaturating(passed, count)
      if passed >= rank { return min(Self.middle(of: bucket), largest) }
    }
    return largest
  }

  /// Returns the number of values that are at most the given power of two, whose exponent is at least 2.
  func count(upToPower exponent: Int) -> UInt64 {
    counts[...Self.bucket(of: 1 << UInt64(exponent))].reduce(0, addSaturating)
  }

  static func bucket(of value: UInt64) -> Int {
    if value <= 4 { return Int(truncatingIfNeeded: value) }
    // With the predecessor, a power of two is the last value of its bucket.
    let predecessor = value &- 1
    let exponent = 63 &- predecessor.leadingZeroBitCount
    let quarter = Int(truncatingIfNeeded: predecessor &>> UInt64(truncatingIfNeeded: exponent &- 2)) & 3
    return (exponent &- 1) &* 4 &+ quarter &+ 1
  }

  private static func middle(of bucket: Int) -> UInt64 {
    if bucket <= 4 { return UInt64(bucket) }
    let (exponent, quarter) = ((bucket - 1) / 4 + 1, UInt64((bucket - 1) % 4))
    let width: UInt64 = 1 << UInt64(exponent - 2)
    return (4 + quarter) * width + (width + 1) / 2
  }
}

/// Returns the sum of two integers, or the largest integer if the sum is larger.
func addSaturating(_ one: UInt64, _ other: UInt64) -> UInt64 {
  let (sum, overflows) = one.addingReportingOverflow(other)
  return overflows ? .max : sum
}

extension Duration {
  /// The duration in nanoseconds, rounded up, or the nearest integer that can represent it.
  var roundedNanoseconds: UInt64 {
    let attoseconds = attoseconds
    let fits = attoseconds <= Int128(UInt64.max - 999_999_999)
    // Dividing 64 bits by a constant takes no division.
    if attoseconds >= 0, fits { return (UInt64(truncatingIfNeeded: attoseconds) &+ 999_999_999) / 1_000_000_000 }
    return UInt64(clamping: attoseconds > 0 ? (attoseconds - 1) / 1_000_000_000 + 1 : 0)
  }
}
