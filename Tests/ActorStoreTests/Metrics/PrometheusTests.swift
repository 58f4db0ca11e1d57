import SeededRandom
import Testing

@testable import ActorStore

@Suite struct PrometheusTests {
  private let metrics = StoreMetrics()

  @Test func theTextIsExact() throws {
    let stores = [
      try metrics.join(queue: .waiting(2)), try metrics.join("Chat"), try metrics.join(queue: .waiting(3)),
    ]
    stores[0].report(queueLength: 12, waited: .zero, ran: .nanoseconds(40))
    stores[1].report(waited: .nanoseconds(1_024), ran: .microseconds(60))
    stores[2].report(waited: .nanoseconds(1_025), ran: .microseconds(1_500))
    stores[0].report(outcome: .failed(Boom()), waited: .seconds(2), ran: .seconds(20))
    let expected = """
      # HELP actorstore_actions_total Reports of actions, by outcome.
      # TYPE actorstore_actions_total counter
      actorstore_actions_total{action="AddItem",outcome="committed"} 3
      actorstore_actions_total{action="AddItem",outcome="failed"} 1
      actorstore_actions_total{action="AddItem",outcome="vetoed"} 0
      actorstore_actions_total{action="AddItem",outcome="cancelled"} 0
      actorstore_actions_total{action="AddItem",outcome="deferred"} 0
      actorstore_actions_total{action="AddItem",outcome="givenUp"} 0
      actorstore_actions_total{action="AddItem",outcome="closed"} 0
      actorstore_actions_total{action="AddItem",outcome="undone"} 0
      # HELP actorstore_action_wait_seconds Time from the call of an action until it began.
      # TYPE actorstore_action_wait_seconds histogram
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000001024"} 2
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000002048"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000004096"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000008192"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000016384"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000032768"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000065536"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000131072"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000262144"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.000524288"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.001048576"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.002097152"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.004194304"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.008388608"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.016777216"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.033554432"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.067108864"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.134217728"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.268435456"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="0.536870912"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="1.073741824"} 3
      actorstore_action_wait_seconds_bucket{action="AddItem",le="2.147483648"} 4
      actorstore_action_wait_seconds_bucket{action="AddItem",le="4.294967296"} 4
      actorstore_action_wait_seconds_bucket{action="AddItem",le="8.589934592"} 4
      actorstore_action_wait_seconds_bucket{action="AddItem",le="17.179869184"} 4
      actorstore_action_wait_seconds_bucket{action="AddItem",le="+Inf"} 4
      actorstore_action_wait_seconds_sum{action="AddItem"} 2.000002049
      actorstore_action_wait_seconds_count{action="AddItem"} 4
      # HELP actorstore_action_run_seconds Time that an action ran.
      # TYPE actorstore_action_run_seconds histogram
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000001024"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000002048"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000004096"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000008192"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000016384"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000032768"} 1
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000065536"} 2
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000131072"} 2
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000262144"} 2
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.000524288"} 2
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.001048576"} 2
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.002097152"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.004194304"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.008388608"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.016777216"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.033554432"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.067108864"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.134217728"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.268435456"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="0.536870912"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="1.073741824"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="2.147483648"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="4.294967296"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="8.589934592"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="17.179869184"} 3
      actorstore_action_run_seconds_bucket{action="AddItem",le="+Inf"} 4
      actorstore_action_run_seconds_sum{action="AddItem"} 20.00156004
      actorstore_action_run_seconds_count{action="AddItem"} 4
      # HELP actorstore_stores Stores that exist.
      # TYPE actorstore_stores gauge
      actorstore_stores{store="Chat"} 1
      actorstore_stores{store="Shop"} 2
      # HELP actorstore_queue_length Actions that wait for their turn.
      # TYPE actorstore_queue_length gauge
      actorstore_queue_length{store="Chat"} 0
      actorstore_queue_length{store="Shop"} 5
      # HELP actorstore_queue_length_max Largest number of actions that waited in one store.
      # TYPE actorstore_queue_length_max gauge
      actorstore_queue_length_max{store="Chat"} 0
      actorstore_queue_length_max{store="Shop"} 12

      """
    #expect(metrics.prometheusText == expected)
    withExtendedLifetime(stores) {}
  }

  @Test func labelsAreEscaped() {
    let values = [
      ("plain", "plain"), (#"a\b"#, #"a\\b"#), ("say \"hi\"", #"say \"hi\""#), ("two\nlines", #"two\nlines"#),
      ("two\r\nlines", "two\r\\nlines"), (#"\n"#, #"\\n"#), ("\\\n\"", #"\\\n\""#), ("é 🛒", "é 🛒"), ("", ""),
    ]
    for (value, escaped) in values { #expect(PrometheusText.escaped(value).utf8.elementsEqual(escaped.utf8)) }
  }

  @Test func secondsAreDecimals() {
    let values: [(UInt64, String)] = [
      (0, "0"), (1, "0.000000001"), (1_024, "0.000001024"), (500_000_000, "0.5"), (1_000_000_000, "1"),
      (10_000_000_000, "10"), (1_050_000_000, "1.05"), (.max, "18446744073.709551615"),
    ]
    for (nanoseconds, text) in values { #expect(PrometheusText.seconds(nanoseconds) == text) }
  }

  @Test func newMetricsHaveFamiliesWithoutSamples() throws {
    let families = try PrometheusParser.parse(metrics.prometheusText)
    #expect(families.count == 6)
    #expect(families.allSatisfy { $0.samples.isEmpty })
  }

  /// Parses the text of random reports with awkward names.
  @Test(arguments: 0..<20 as Range<UInt64>) func theTextIsValid(_ seed: UInt64) throws {
    var random = SplitMix64(seed)
    let names = ["Shop", #"C:\shop"#, #"the "best" shop"#, "two\nlines", "two\r\nlines", "{a=\"b\"} 1", "# TYPE", ""]
    let labels: [StaticString] = ["add", #"a\b"#, #"say "hi""#, "two\nlines", #"\n"#, "le=\"1\"", ",", ""]
    let stores = try names.map { name in try metrics.join(name, queue: .waiting(name.utf8.count)) }
    var counts: [String: UInt64] = [:]
    for _ in 0..<200 {
      let label = labels[random.below(labels.count)]
      counts[label.description, default: 0] += 1
      stores[random.below(stores.count)].report(
        ClosureMutation(label: label) { (_: inout Basket) in },
        waited: .nanoseconds(Int64(random.next() >> UInt64(28 + random.below(30)))), ran: .nanoseconds(40))
    }
    let families = try PrometheusParser.parse(metrics.prometheusText)
    let byName = Dictionary(uniqueKeysWithValues: families.map { ($0.name, $0) })
    for family in families where family.type == "histogram" { try expectHistogram(family, counts) }
    let total = try #require(byName["actorstore_actions_total"])
    #expect(total.type == "counter")
    for (name, count) in counts {
      let samples = total.samples.filter { $0.labels["action"]?.utf8.elementsEqual(name.utf8) == true }
      #expect(samples.map { $0.labels["outcome"] } == ReportedOutcome.Kind.allCases.map(\.rawValue))
      #expect(samples.reduce(0) { $0 + $1.value } == Double(count))
    }
    let lengths = try #require(byName["actorstore_queue_length"])
    #expect(lengths.type == "gauge")
    #expect(Set(lengths.samples.map { $0.labels["store"] ?? "none" }) == Set(names))
    #expect(lengths.samples.allSatisfy { Double($0.labels["store"]?.utf8.count ?? -1) == $0.value })
    withExtendedLifetime(stores) {}
  }

  private func expectHistogram(_ family: PrometheusParser.Family, _ counts: [String: UInt64]) throws {
    for (name, count) in counts {
      let samples = family.samples.filter { $0.labels["action"] == name }
      let buckets = samples.filter { $0.suffix == "_bucket" }
      let bounds = try buckets.map { try #require(Double($0.labels["le"] == "+Inf" ? "inf" : $0.labels["le"] ?? "")) }
      #expect(bounds == bounds.sorted() && bounds.last == .infinity && Set(bounds).count == 26)
      #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
      #expect(buckets.last?.value == Double(count))
      #expect(samples.dropFirst(26).map(\.suffix) == ["_sum", "_count"])
      #expect(samples.last?.value == Double(count))
      #expect(samples.dropLast().last?.value ?? 0 > 0)
    }
  }
}
