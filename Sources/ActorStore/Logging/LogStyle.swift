/// The layout of a record's text.
@frozen public enum LogStyle: Sendable {
  /// Everything on one line.
  case line
  /// The changes of the state on lines of their own.
  case lines
  /// The action, and then the whole state as an indented tree.
  ///
  /// It needs a logger whose `treeLines` is greater than zero. Otherwise, the record shows the changes of the state.
  case tree
}

extension LogRecord: CustomStringConvertible {
  /// The record on one line.
  public var description: String { text(.line) }

  /// Returns the record as text, without a newline at the end.
  ///
  /// ```
  /// shop: Add committed as revision 12, ticket 14, waited 0 ns, ran 1.2 us, 3 ahead
  ///   Shop(
  ///     items: [
  /// +     [0]: "tea"
  ///     ]
  ///   )
  /// ```
  ///
  /// - Parameter style: The layout of the text.
  public func text(_ style: LogStyle) -> String {
    var text = ""
    if dropped > 0 { text += "(\(dropped) \(dropped == 1 ? "record was" : "records were") dropped) " }
    text += "\(store): \(payload ?? label) \(outcome.words)"
    if let revision { text += outcome == .committed ? " as revision \(revision)" : " after revision \(revision)" }
    if let member { text += ", member \(member)" }
    if let ticket { text += ", ticket \(ticket)" }
    if let waited { text += ", waited \(Self.text(of: waited))" }
    if let ran { text += ", ran \(Self.text(of: ran))" }
    if let queueLength { text += ", \(queueLength) ahead" }
    if let reason { text += ": \(reason)" }
    if style == .tree, let state { return "\(text.onOneLine)\n\(state.printable)" }
    guard let difference else { return text.onOneLine }
    return style == .line ? "\(text): \(difference.onOneLine)".onOneLine : "\(text.onOneLine)\n\(difference.printable)"
  }

  /// A duration in a suitable unit, such as `950 ns`, `1.2 us`, `35.0 ms`, or `120 s`.
  private static func text(of duration: Duration) -> String {
    let sign = duration.attoseconds < 0 ? "-" : ""
    let nanoseconds = duration.attoseconds.magnitude / 1_000_000_000
    for (unit, name) in [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")] as [(UInt128, String)]
    where nanoseconds >= unit {
      let tenths = nanoseconds / (unit / 10)
      return tenths < 1_000 ? "\(sign)\(tenths / 10).\(tenths % 10) \(name)" : "\(sign)\(tenths / 10) \(name)"
    }
    return "\(sign)\(nanoseconds) ns"
  }
}

extension ReportedOutcome.Kind {
  fileprivate var words: String {
    switch self {
    case .committed: "committed"
    case .failed: "failed"
    case .vetoed: "vetoed"
    case .cancelled: "cancelled"
    case .deferred: "deferred"
    case .givenUp: "given up"
    case .closed: "closed"
    case .undone: "undone"
    }
  }
}
