/// What a ``TestStore`` found wrong inside a simulation.
public struct TestStoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found, and where, in the order in which it was.
  public let messages: [String]

  /// Where each was found.
  var sites: [Substring] {
    messages.map { message in message.lastIndex(of: "(").map { message[$0...] } ?? "" }
  }

  /// All of it.
  public var description: String { messages.joined(separator: "\n") }
}
