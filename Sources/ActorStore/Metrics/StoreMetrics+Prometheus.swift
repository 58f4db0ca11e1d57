extension StoreMetrics {
  /// The figures in Prometheus's text format, version 0.0.4.
  ///
  /// Serve it with the content type `text/plain; version=0.0.4`. It has these families, sorted by the names of actions
  /// and stores:
  ///
  /// | metric | type | labels |
  /// | --- | --- | --- |
  /// | `actorstore_actions_total` | counter | `action`, `outcome` |
  /// | `actorstore_action_wait_seconds` | histogram | `action` |
  /// | `actorstore_action_run_seconds` | histogram | `action` |
  /// | `actorstore_stores` | gauge | `store` |
  /// | `actorstore_queue_length` | gauge | `store` |
  /// | `actorstore_queue_length_max` | gauge | `store` |
  ///
  /// The histograms have 25 buckets, from about a microsecond to 17 seconds. Each bucket ends at twice the time at
  /// which the one before it ends.
  public var prometheusText: String {
    var text = PrometheusText()
    let actions = table.counts
    text.begin("actorstore_actions_total", "counter", "Reports of actions, by outcome.")
    for (name, counts) in actions {
      for outcome in ReportedOutcome.Kind.allCases {
        text.add([("action", name), ("outcome", outcome.rawValue)], "\(counts.count(of: outcome))")
      }
    }
    text.begin("actorstore_action_wait_seconds", "histogram", "Time from the call of an action until it began.")
    for (name, counts) in actions { text.add(counts.waited, of: name) }
    text.begin("actorstore_action_run_seconds", "histogram", "Time that an action ran.")
    for (name, counts) in actions { text.add(counts.ran, of: name) }
    let queues = queues
    text.begin("actorstore_stores", "gauge", "Stores that exist.")
    for figures in queues { text.add([("store", figures.store)], "\(figures.stores)") }
    text.begin("actorstore_queue_length", "gauge", "Actions that wait for their turn.")
    for figures in queues { text.add([("store", figures.store)], "\(figures.length)") }
    text.begin("actorstore_queue_length_max", "gauge", "Largest number of actions that waited in one store.")
    for figures in queues { text.add([("store", figures.store)], "\(figures.longest)") }
    return text.text
  }
}

/// A text in Prometheus's format.
///
/// Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>
struct PrometheusText: Sendable {
  private(set) var text = ""
  private var family = ""

  /// Begins a family of series.
  mutating func begin(_ name: String, _ type: String, _ help: String) {
    family = name
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// Adds a series.
  mutating func add(_ labels: [(name: String, value: String)], suffix: String = "", _ value: String) {
    let labels = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(family)\(suffix){\(labels)} \(value)\n"
  }

  /// Adds the series of a histogram, whose buckets contain all values up to their bound.
  mutating func add(_ histogram: Histogram, of action: String) {
    for exponent in 10...34 {
      let bound = Self.seconds(1 << UInt64(exponent))
      add([("action", action), ("le", bound)], suffix: "_bucket", "\(histogram.count(upToPower: exponent))")
    }
    let count = "\(histogram.count)"
    add([("action", action), ("le", "+Inf")], suffix: "_bucket", count)
    add([("action", action)], suffix: "_sum", Self.seconds(histogram.sum))
    add([("action", action)], suffix: "_count", count)
  }

  static func escaped(_ value: String) -> String {
    var escaped = ""
    // Not characters, because a line feed can be a part of one.
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns nanoseconds as a decimal number of seconds, without trailing zeros.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest == 0 { return "\(whole)" }
    // The leading one keeps the zeros after it.
    var digits = "\(1_000_000_000 + rest)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
