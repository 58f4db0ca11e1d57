import Foundation
import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Reports from several threads, and compares the figures with sorted arrays.
@Suite struct MetricsThreadsTests {
  /// The reports of one thread, by name.
  private struct Expected: Sendable {
    var counts: [String: [ReportedOutcome.Kind: UInt64]] = [:]
    var waited: [String: [UInt64]] = [:]
    var ran: [String: [UInt64]] = [:]
    var longest = 0
  }

  // LeakSanitizer would report the boxed veto of a constant.
  private static var outcomes: [ReportedOutcome] { [.committed, .failed(Boom()), .vetoed(Veto("no")), .undone] }

  /// Reports random actions to stores that all threads share, and to stores of its own that come and go.
  private func run(_ seed: UInt64, _ metrics: StoreMetrics, _ shared: [any ReportGuard<Basket>]) throws -> Expected {
    var random = SplitMix64(seed)
    var expected = Expected()
    var own = try metrics.join("own")
    for _ in 0..<TestSize.length(50_000, short: 5_000) {
      if random.below(100) == 0 { own = try metrics.join("own") }
      let isOwn = random.below(4) == 0
      let store = isOwn ? own : shared[random.below(shared.count)]
      let outcome = Self.outcomes[random.below(Self.outcomes.count)]
      let (waited, ran) = (
        random.next() >> UInt64(24 + random.below(40)), random.next() >> UInt64(24 + random.below(40))
      )
      let length = random.below(1_000)
      func report(_ action: some Action<Basket>) {
        store.report(
          action, outcome: outcome, queueLength: length, waited: .nanoseconds(Int64(waited)),
          ran: .nanoseconds(Int64(ran)))
      }
      let name: String
      switch random.below(4) {
      case 0: (_, name) = (report(AddItem()), "AddItem")
      case 1: (_, name) = (report(Checkout()), "Checkout")
      case 2: (_, name) = (report(ClosureMutation(label: "one") { (_: inout Basket) in }), "one")
      default: (_, name) = (report(ClosureMutation(label: "two") { (_: inout Basket) in }), "two")
      }
      expected.counts[name, default: [:]][outcome.kind, default: 0] += 1
      expected.waited[name, default: []].append(waited)
      expected.ran[name, default: []].append(ran)
      if !isOwn { expected.longest = max(expected.longest, length) }
    }
    return expected
  }

  @Test(.namedIfItHangs, arguments: 0..<4 as Range<UInt64>) func noReportIsLost(_ seed: UInt64) throws {
    let metrics = StoreMetrics()
    let shared = try (0..<2).map { _ in try metrics.join("shared") }
    let results = Witness<Expected>()
    let done = DispatchSemaphore(value: 0)
    for thread in 0..<4 as Range<UInt64> {
      Thread.detachNewThread {
        if let expected = try? run(seed * 4 + thread, metrics, shared) { results.saw(expected) }
        done.signal()
      }
    }
    // Each report has both times, so a report that was counted partly would show.
    for _ in 0..<100 {
      for figures in metrics.actions {
        let count = figures.counts.values.reduce(0, +)
        #expect(figures.waited.count == count && figures.ran.count == count)
      }
      // A thread joins with its next store before it leaves with the last one.
      #expect(metrics.queues.allSatisfy { $0.stores <= 8 })
    }
    for _ in 0..<4 { done.wait() }
    let all = results.all
    #expect(all.count == 4)
    #expect(metrics.actions.map(\.name) == ["AddItem", "Checkout", "one", "two"])
    for figures in metrics.actions {
      for kind in ReportedOutcome.Kind.allCases {
        #expect(figures.counts[kind] == all.reduce(0) { $0 + ($1.counts[figures.name]?[kind] ?? 0) })
      }
      expect(figures.waited, toSummarize: all.flatMap { $0.waited[figures.name] ?? [] })
      expect(figures.ran, toSummarize: all.flatMap { $0.ran[figures.name] ?? [] })
    }
    let longest = all.map(\.longest).max() ?? 0
    #expect(metrics.queues == [.init(store: "shared", stores: 2, length: 0, longest: longest)])
    withExtendedLifetime(shared) {}
  }

  private func expect(_ times: StoreMetrics.Times, toSummarize values: [UInt64]) {
    let sorted = values.sorted()
    #expect(times.count == UInt64(sorted.count))
    #expect(times.sum == .nanoseconds(Int64(sorted.reduce(0, +))))
    #expect(times.max == .nanoseconds(Int64(sorted.last ?? 0)))
    for (quantile, perMille) in [(times.p50, 500), (times.p99, 990), (times.p999, 999)] {
      let exact = Int64(sorted[(sorted.count * perMille + 999) / 1_000 - 1])
      #expect(quantile >= .nanoseconds(exact - exact / 8) && quantile <= .nanoseconds(exact + exact / 8))
    }
  }
}
