import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Compares the histogram with a sorted array.
@Suite struct HistogramTests {
  @Test(arguments: 0..<UInt64(TestSize.count(200, few: 40))) func matchesASortedArray(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let bits = random.below(64) + 1
    let values = (0..<random.below(3_000) + 1).map { _ in
      // Of all magnitudes, and the same ones again and again.
      random.below(4) == 0 ? UInt64(random.below(20)) : random.next() >> UInt64(64 - random.below(bits) - 1)
    }
    var whole = Histogram()
    var parts = [Histogram(), Histogram(), Histogram()]
    for value in values {
      whole.add(value)
      parts[random.below(3)].add(value)
    }
    let sorted = values.sorted()
    #expect(whole.count == UInt64(sorted.count))
    #expect(whole.largest == sorted.last)
    #expect(whole.sum == sorted.reduce(0, addSaturating))
    for perMille in [1, 500, 990, 999, 1_000] {
      let exact = sorted[(sorted.count * perMille + 999) / 1_000 - 1]
      let quantile = whole.quantile(perMille: UInt64(perMille))
      let error = max(quantile, exact) - min(quantile, exact)
      #expect(error <= exact / 8, "\(perMille): \(quantile) instead of \(exact)")
      #expect(quantile <= sorted[sorted.count - 1])
    }
    for exponent in 2...63 {
      let count = sorted.count { $0 <= 1 << UInt64(exponent) }
      #expect(whole.count(upToPower: exponent) == UInt64(count), "2 to the power of \(exponent)")
    }
    var merged = Histogram()
    for part in parts { merged.merge(part) }
    #expect(merged == whole)
  }

  @Test func bucketsAreInOrder() {
    var values = Set<UInt64>([0, .max])
    for exponent in 0..<64 as Range<UInt64> {
      for quarter in 0..<4 as Range<UInt64> {
        let first = (1 << exponent) + quarter * ((1 << exponent) / 4)
        values.formUnion([first &- 1, first, first &+ 1])
      }
    }
    let buckets = values.sorted().map(Histogram.bucket(of:))
    #expect(buckets == buckets.sorted())
    #expect(Set(buckets) == Set(0..<Histogram.bucketCount))
  }

  @Test func smallTimesAreExact() {
    for value in 0...8 as ClosedRange<UInt64> {
      var histogram = Histogram()
      histogram.add(value)
      histogram.add(1_000)
      #expect(histogram.quantile(perMille: 500) == value)
    }
  }

  @Test func emptyHistogramHasNoTimes() {
    let histogram = Histogram()
    #expect(histogram.count == 0 && histogram.sum == 0 && histogram.largest == 0)
    #expect(histogram.quantile(perMille: 990) == 0)
    #expect(histogram.count(upToPower: 20) == 0)
  }

  @Test func takesTwoKilobytes() {
    #expect(Histogram.bucketCount * MemoryLayout<UInt64>.size <= 2_048)
  }

  @Test func countsAndSumsDoNotOverflow() {
    var histogram = Histogram()
    for value in [7, 7, 7, UInt64.max] { histogram.add(value) }
    #expect(histogram.sum == .max)
    for doublings in 1...70 {
      let copy = histogram
      histogram.merge(copy)
      #expect(histogram.count == (doublings < 62 ? 4 << UInt64(doublings) : .max))
      #expect(histogram.quantile(perMille: 500) == 7)
      // When the count of the smaller value has become the largest integer, it hides the others.
      #expect(doublings >= 62 || histogram.quantile(perMille: 990) > .max / 8 * 7)
    }
    #expect(histogram.sum == .max && histogram.largest == .max)
  }

  @Test func durationsRoundUpToNanoseconds() {
    let attosecond = Duration(attoseconds: 1)
    #expect(Duration.zero.roundedNanoseconds == 0)
    #expect(attosecond.roundedNanoseconds == 1)
    #expect(Duration.nanoseconds(1).roundedNanoseconds == 1)
    #expect((.nanoseconds(1) + attosecond).roundedNanoseconds == 2)
    #expect(Duration.nanoseconds(-5).roundedNanoseconds == 0)
    #expect((.seconds(1_000_000_000) + attosecond).roundedNanoseconds == 1_000_000_000_000_000_001)
    #expect(Duration.seconds(Int64.max).roundedNanoseconds == .max)
    // Where 64 bits of attoseconds end, the conversion changes its method.
    for offset in [-1_000_000_001, -1_000_000_000, -999_999_999, -1, 0, 1, 1_000_000_000] as [Int128] {
      let attoseconds = Int128(UInt64.max) + offset
      let exact = (attoseconds + 999_999_999) / 1_000_000_000
      #expect(Int128(Duration(attoseconds: attoseconds).roundedNanoseconds) == exact, "\(offset)")
    }
  }
}
