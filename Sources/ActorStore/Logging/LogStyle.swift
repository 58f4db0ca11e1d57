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
  /// shop: Add(item: "tea") committed as revision 12, ticket 14, waited 0 ns, ran 1.2 us, 3 ahead
  ///   Shop(
  ///     items: [
  /// +     [0]: "tea"
  ///     ]
  ///   )
  /// ```
  ///
  /// - Parameter style: The layout of the text.
  public func text(_ style: LogStyle) -> String {
    TextBuffer.text { text in
      append(style, to: &text)
      return true
    } ?? ""
  }

  private func append(_ style: LogStyle, to text: inout TextBuffer) {
    if dropped > 0 {
      text.append("(", UInt64(dropped))
      text.append(dropped == 1 ? " record was dropped) " : " records were dropped) ")
    }
    text.append(onOneLine: store)
    text.append(": ")
    text.append(onOneLine: payload ?? label)
    text.append(outcome.words)
    if let revision { text.append(outcome == .committed ? " as revision " : " after revision ", revision) }
    if let member { text.append(", member ", UInt64(clamping: member)) }
    if let ticket { text.append(", ticket ", ticket) }
    if let waited { text.append(", waited ", waited) }
    if let ran { text.append(", ran ", ran) }
    if let queueLength {
      text.append(", ", UInt64(clamping: queueLength))
      text.append(" ahead")
    }
    if let reason {
      text.append(": ")
      text.append(onOneLine: reason)
    }
    if style == .tree, let state {
      text.append("\n")
      text.append(text: state)
      return
    }
    guard let difference else { return }
    if style == .line {
      text.append(": ")
      text.append(onOneLine: difference)
    } else {
      text.append("\n")
      text.append(text: difference)
    }
  }
}

extension ReportedOutcome.Kind {
  fileprivate var words: StaticString {
    switch self {
    case .committed: " committed"
    case .failed: " failed"
    case .vetoed: " vetoed"
    case .cancelled: " cancelled"
    case .deferred: " deferred"
    case .givenUp: " given up"
    case .closed: " closed"
    case .undone: " undone"
    }
  }
}
