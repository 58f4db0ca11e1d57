extension StoreMetrics {
  /// The figures of the actions with one name.
  public struct ActionFigures: Sendable {
    /// The name of the actions' type, the label of a closure or a transaction, or `"other"`.
    public let name: String
    /// The number of reports with each outcome.
    ///
    /// A deferred call counts twice: as ``ReportedOutcome/Kind/deferred``, and as what becomes of it. Each member of a
    /// transaction counts, and so does the transaction.
    public let counts: [ReportedOutcome.Kind: UInt64]
    /// The time from each call until its action began, or until the call ended if its action never began.
    ///
    /// A deferred call counts once. Members of transactions do not count.
    public let waited: Times
    /// The times that the actions ran, for each action that began.
    public let ran: Times
  }

  /// A summary of a number of times.
  ///
  /// A quantile differs from the exact one by at most an eighth of it. If ``count`` is zero, all times are zero.
  public struct Times: Hashable, Sendable {
    /// The number of times.
    public let count: UInt64
    /// The sum of the times.
    public let sum: Duration
    /// The median.
    public let p50: Duration
    /// The time that 99% of the times do not exceed.
    public let p99: Duration
    /// The time that 99.9% of the times do not exceed.
    public let p999: Duration
    /// The longest time, which is exact.
    public let max: Duration

    init(_ histogram: Histogram) {
      count = histogram.count
      sum = Duration(nanoseconds: histogram.sum)
      p50 = Duration(nanoseconds: histogram.quantile(perMille: 500))
      p99 = Duration(nanoseconds: histogram.quantile(perMille: 990))
      p999 = Duration(nanoseconds: histogram.quantile(perMille: 999))
      max = Duration(nanoseconds: histogram.largest)
    }
  }

  /// The figures of all existing stores with one name.
  public struct QueueFigures: Hashable, Sendable {
    /// The name of the stores.
    public let store: String
    /// The number of stores.
    public let stores: Int
    /// The sum of the queue lengths of these stores.
    public let length: Int
    /// The largest queue length that a call, or a reading of these figures, found in one of these stores.
    public let longest: Int
  }

  /// The figures of all actions with a report, in the order of their names.
  ///
  /// Other threads may report at the same time. Each report is then counted entirely or not at all. The cost grows with
  /// the number of names.
  public var actions: [ActionFigures] {
    table.counts.map { name, counts in
      ActionFigures(
        name: name,
        counts: Dictionary(uniqueKeysWithValues: ReportedOutcome.Kind.allCases.map { ($0, counts.count(of: $0)) }),
        waited: Times(counts.waited),
        ran: Times(counts.ran))
    }
  }

  /// The figures of the queues of all stores that exist, in the order of their names.
  ///
  /// The cost grows with the number of stores.
  public var queues: [QueueFigures] {
    var merged: [String: (stores: Int, length: Int, longest: Int)] = [:]
    for gauge in gauges.all {
      let lengths = gauge.lengths
      let other = merged[gauge.storeName] ?? (0, 0, 0)
      merged[gauge.storeName] = (
        other.stores + 1, other.length + lengths.now, Swift.max(other.longest, lengths.longest)
      )
    }
    return merged.sorted { $0.key < $1.key }.map { name, sums in
      QueueFigures(store: name, stores: sums.stores, length: sums.length, longest: sums.longest)
    }
  }
}

extension Duration {
  /// Creates a duration from any number of nanoseconds.
  fileprivate init(nanoseconds: UInt64) {
    self.init(attoseconds: Int128(nanoseconds) * 1_000_000_000)
  }
}
