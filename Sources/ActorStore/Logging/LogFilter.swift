/// The choice of the records that a logger writes.
///
/// ```swift
/// let filter = LogFilter.all
///   .excluding(Tick.self)
///   .excluding(labels: "poll")
///   .outcomes(.failed, .vetoed)
/// ```
///
/// A record passes if it meets all conditions. A logger checks them before it makes any text.
public struct LogFilter: Sendable {
  private var included: Names?
  private var excluded = Names()
  private var outcomes: Set<ReportedOutcome.Kind>?
  private var minimum: Duration?

  private struct Names: Sendable {
    var types: Set<ObjectIdentifier> = []
    var labels: Set<String> = []

    func contains(_ type: any Any.Type, _ label: () -> String?) -> Bool {
      if types.contains(ObjectIdentifier(type)) { return true }
      return labels.isEmpty ? false : label().map(labels.contains) ?? false
    }

    func adding(_ types: [any Any.Type]) -> Names {
      Names(types: self.types.union(types.map { ObjectIdentifier($0) }), labels: labels)
    }

    func adding(_ labels: [String]) -> Names { Names(types: types, labels: self.labels.union(labels)) }
  }

  /// A filter that every record passes.
  public static var all: LogFilter { LogFilter() }

  /// Returns a filter that includes actions and groups of these types.
  ///
  /// Records pass only if a call of `including` has named their type or their label.
  ///
  /// - Parameter types: The types of the actions and groups.
  public func including(_ types: any Any.Type...) -> LogFilter {
    with { $0.included = ($0.included ?? Names()).adding(types) }
  }

  /// Returns a filter that includes closures and transactions with these labels.
  ///
  /// Records pass only if a call of `including` has named their type or their label.
  ///
  /// - Parameter labels: The labels of the closures and transactions.
  public func including(labels: String...) -> LogFilter {
    with { $0.included = ($0.included ?? Names()).adding(labels) }
  }

  /// Returns a filter that excludes actions and groups of these types.
  ///
  /// - Parameter types: The types of the actions and groups.
  public func excluding(_ types: any Any.Type...) -> LogFilter {
    with { $0.excluded = $0.excluded.adding(types) }
  }

  /// Returns a filter that excludes closures and transactions with these labels.
  ///
  /// - Parameter labels: The labels of the closures and transactions.
  public func excluding(labels: String...) -> LogFilter {
    with { $0.excluded = $0.excluded.adding(labels) }
  }

  /// Returns a filter that only these outcomes pass.
  ///
  /// They replace the outcomes of an earlier call.
  ///
  /// - Parameter outcomes: The outcomes.
  public func outcomes(_ outcomes: ReportedOutcome.Kind...) -> LogFilter {
    with { $0.outcomes = Set(outcomes) }
  }

  /// Returns a filter that only calls with a minimum duration pass.
  ///
  /// The duration of a call is the time that it waited plus the time that it ran. Without a clock, it is zero.
  ///
  /// - Parameter minimum: The minimum duration.
  public func lasting(atLeast minimum: Duration) -> LogFilter {
    with { $0.minimum = minimum > .zero ? minimum : nil }
  }

  /// Returns whether a record passes.
  ///
  /// - Parameter label: The label of a closure or a transaction, or `nil` for other actions.
  func passes(
    _ type: any Any.Type,
    label: @autoclosure () -> String?,
    _ outcome: ReportedOutcome.Kind,
    waited: Duration?,
    ran: Duration?
  ) -> Bool {
    if let outcomes, !outcomes.contains(outcome) { return false }
    if let minimum, (waited ?? .zero) + (ran ?? .zero) < minimum { return false }
    if let included, !included.contains(type, label) { return false }
    return !excluded.contains(type, label)
  }

  private func with(_ change: (inout LogFilter) -> Void) -> LogFilter {
    var copy = self
    change(&copy)
    return copy
  }
}
