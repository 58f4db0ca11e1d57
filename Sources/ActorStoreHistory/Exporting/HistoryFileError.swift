/// The reason why a history cannot be exported, or a file cannot be imported.
public struct HistoryFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem with a line.
  public enum Reason: Hashable, Sendable {
    /// The file is not an exported history.
    case foreign
    /// The file has a version that this library does not read.
    case version(Int)
    /// The line differs from the exported one, or is out of order.
    case damaged
    /// A value of the line is missing, has the wrong type, is out of range, or cannot be encoded or decoded.
    case invalid(String)
    /// No action is registered under the name.
    case unknownAction(String)
    /// The file ends before or within the line.
    case truncated
  }

  /// The number of the line, starting at 1.
  public let line: Int
  /// The problem with the line.
  public let reason: Reason

  /// A sentence that names the line and the reason.
  public var description: String {
    switch reason {
    case .foreign: "Line \(line) does not begin an exported history."
    case .version(let version): "Line \(line) has version \(version), but only version 1 is supported."
    case .damaged: "Line \(line) is damaged."
    case .invalid(let text): "Line \(line) is invalid: \(text)."
    case .unknownAction(let name): "Line \(line) has the action \"\(name)\", which is not registered."
    case .truncated: "The file ends before line \(line) is complete."
    }
  }
}
