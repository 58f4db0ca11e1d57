import SeededRandom
import Synchronization
import Testing

@testable import StoreLoadTest

/// Percentiles, spreads, rounds, comparisons, and checks, from which the load test computes its figures.
@Suite struct MeasuringTests {
  // MARK: Latencies

  /// Compares percentiles with a sorted list of the same figures.
  @Test func percentilesAreAtMostOneThirtySecondTooHigh() {
    var random = SplitMix64(7)
    var latencies = Latencies()
    var sorted: [UInt64] = []
    for _ in 0..<20_000 {
      let figure = UInt64.random(in: 0..<(1 << UInt64.random(in: 1..<40, using: &random)), using: &random)
      latencies.record(figure)
      sorted.append(figure)
    }
    sorted.sort()
    for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
      let exact = sorted[max(0, Int((share * 20_000).rounded(.up)) - 1)]
      let seen = latencies.percentile(share)
      #expect(seen >= exact && seen <= exact + exact / 32 + 1, "\(share): \(seen) instead of \(exact)")
    }
    #expect(latencies.max == sorted.last)
  }

  @Test func latenciesOfExtremes() {
    var latencies = Latencies()
    #expect(LatencySummary(latencies) == nil)
    #expect(latencies.percentile(0.5) == 0)
    latencies.record(.max)
    latencies.record(0)
    #expect(latencies.percentile(0.5) == 0)
    #expect(latencies.percentile(1) == .max)
    #expect(LatencySummary(latencies)?.max == .max)
  }

  // MARK: Spreads

  @Test func spreads() {
    #expect(Spread([3, 1, 2]).median == 2)
    #expect(Spread([4, 1, 2, 3]).median == 2.5)
    #expect(Spread([]).max == 0)
    let spread = Spread([0.000_333_333_333, 123_456_789.4, -5])
    #expect([spread.min, spread.median, spread.max] == [-5, 0.000333333, 123_457_000])
  }

  // MARK: Rounds

  @Test func roundsFillTheirTime() {
    var rounds = Rounds(Options())
    rounds.budget = 7e9
    (rounds.cost, rounds.baselineCost) = (1_000, 500)
    #expect(rounds.counts(atLeast: 1, atMost: .max) == [Int](repeating: 500_000, count: 7))
    #expect(rounds.counts(atLeast: 1, atMost: 100) == [Int](repeating: 100, count: 7))
    #expect(rounds.counts(atLeast: 600_000, atMost: .max) == [Int](repeating: 600_000, count: 7))
    #expect(rounds.baselineCount(beside: 500_000, atLeast: 1, atMost: .max) == 500_000)
    // A baseline that costs much more has fewer operations, because it would otherwise take all of the time.
    rounds.baselineCost = 1e6
    #expect(rounds.baselineCount(beside: 500_000, atLeast: 1, atMost: .max) == 500)
  }

  @Test(arguments: [1, 3, 7, 1_000, 123_457, 10_000_000])
  func roundsAddUpToTheRequestedDispatches(count: Int) {
    var rounds = Rounds(Options(dispatches: count))
    rounds.baselineCost = 1_000
    for most in [1, 1_000, Int.max] where count / most < 1_000_000 {
      let counts = rounds.counts(atLeast: 8, atMost: most)
      #expect(counts.reduce(0, +) == count)
      #expect(counts.allSatisfy { $0 <= most && $0 > 0 })
    }
  }

  @Test func benchContinuesUntilItsTimeOrCountIsUsedUp() {
    let byCount = Bench(Options(dispatches: 5), budget: 0, Monitor()) { _ in }
    #expect(byCount.goesOn(after: 4) && !byCount.goesOn(after: 5))
    let byTime = Bench(Options(), budget: 0, Monitor()) { _ in }
    #expect(byTime.goesOn(after: 0) && !byTime.goesOn(after: 1))
  }

  // MARK: Comparing

  /// The subject and its baseline alternate, and the figures use only the times that they return.
  @Test func subjectAndBaselineAlternate() async {
    let bench = Bench(Options(dispatches: 70), budget: 1e9, Monitor()) { _ in }
    let calls = Mutex<[String]>([])
    let figures = await bench.compare(to: "another") { count in
      calls.withLock { $0.append("baseline") }
      return Double(count) * 4_000_000
    } subject: { count in
      calls.withLock { $0.append("subject") }
      return Double(count) * 1_000_000
    }
    #expect(figures.operations == 70)
    #expect(figures.ratio?.median == 0.25 && figures.ratio?.max == 0.25)
    #expect(figures.nanoseconds?.median == 1_000_000)
    #expect(figures.baseline?.name == "another")
    // The earlier calls are the calibration, whose number can vary.
    #expect(calls.withLock { $0.suffix(14) } == (0..<14).map { $0 % 2 == 0 ? "baseline" : "subject" })
  }

  @Test func stallIsTenSecondsWithoutChange() {
    var stall = StallDetector()
    func looks(_ count: Int, pulse: Int, text: String) -> [Bool] {
      (0..<count).map { _ in stall.looked(pulse: pulse, text: text) }
    }
    #expect(looks(11, pulse: 1, text: "a") == [Bool](repeating: false, count: 10) + [true])
    // A beat is progress, and so is a change of the text.
    #expect(!looks(10, pulse: 2, text: "a").contains(true))
    #expect(!looks(10, pulse: 2, text: "b").contains(true))
  }

  @Test func unexpectedResultsAreViolations() {
    let found = Mutex<[String]>([])
    let bench = Bench(Options(), budget: 0, Monitor()) { violation in found.withLock { $0.append(violation) } }
    bench.expect("count", 3, 3)
    bench.expect("order", 3, 4)
    #expect(found.withLock { $0 } == ["order: expected 4, saw 3"])
  }

  /// A leak makes the heap grow in each measurement.
  ///
  /// Other growth does not recur.
  @Test func growthIsALeakIfItRecurs() async {
    let found = Mutex<[String]>([])
    let bench = Bench(Options(), budget: 0, Monitor()) { violation in found.withLock { $0.append(violation) } }
    var growths = [101, 100, 500, 300, 200, 101, 400]
    #expect(await bench.expectNoLeak("once", atMost: 100) { growths.removeFirst() } == 100)
    #expect(await bench.expectNoLeak("each time", atMost: 100) { growths.removeFirst() } == 101)
    #expect(growths.isEmpty)
    #expect(found.withLock { $0 } == ["each time: expected a growth of at most 100 bytes, saw 101"])
  }

  // MARK: Limits

  @Test func figuresMissTheirLimits() {
    var figures = Figures(operations: 1_000, ratio: Spread([1, 3.088514, 9]), heapBytes: 401)
    #expect(Limit.ratio(3.1).missed(by: figures) == nil)
    let missed = Limit.ratio(3).missed(by: figures)
    #expect(missed?.note == "slower than expected (ratio above 3)")
    #expect(missed?.explanation == "slower than expected: ratio: expected at most 3, saw 3.08851")
    #expect(Limit.bytes(401).missed(by: figures) == nil)
    #expect(Limit.bytes(400).missed(by: figures)?.note == "larger than expected (heap bytes above 400)")
    // The ratio of few operations varies too much.
    figures.operations = 999
    #expect(Limit.ratio(3).missed(by: figures) == nil)
  }

  @Test func latenciesMissTheirLimit() {
    func missed(_ count: Int, slowest: UInt64) -> MissedLimit? {
      var latencies = Latencies()
      for number in 0..<count { latencies.record(number % 100 == 0 ? slowest : 10) }
      return Limit.steady.missed(by: Figures(latencies: latencies))
    }
    #expect(missed(10_000, slowest: 200) == nil)
    #expect(missed(10_000, slowest: 250)?.mark == "slower than expected")
    #expect(missed(9_999, slowest: 250) == nil)
  }

  // MARK: Cores

  /// With two cores to which threads can be pinned, the round trip of a cache line takes time.
  @Test func cacheLineRoundTripTakesTime() {
    let nanoseconds = CacheLine.roundTripNanoseconds(measurements: 3, roundTrips: 10)
    if PinnedThread.cores.count < 2 {
      #expect(nanoseconds == nil)
    } else {
      #expect((nanoseconds ?? 0) > 0)
    }
  }

  @Test func pinnedThreadRunsOnlyOnItsCore() throws {
    let core = try #require(PinnedThread.cores.last)
    let seen = Mutex<[UInt32]>([])
    let thread = PinnedThread(to: core) { seen.withLock { $0 = PinnedThread.cores } }
    thread.join()
    #expect(thread.isPinned)
    #expect(seen.withLock { $0 } == [core])
  }

  @Test func threadThatCannotBePinnedStillRuns() {
    let hasRun = Mutex(false)
    // This core number fits into the system's set of cores, but the machine is assumed to have fewer cores.
    let thread = PinnedThread(to: 1_023) { hasRun.withLock { $0 = true } }
    thread.join()
    #expect(!thread.isPinned)
    #expect(hasRun.withLock { $0 })
  }
}
