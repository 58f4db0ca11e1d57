/// The failures that test stores and expectations found inside a simulation.
public struct TestStoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The messages with their locations, in the order in which the failures were found.
  public let messages: [String]

  /// The location of each failure.
  var sites: [Substring] {
    messages.map { message in message.lastIndex(of: "(").map { message[$0...] } ?? "" }
  }

  /// All messages, separated by line breaks.
  public var description: String { messages.joined(separator: "\n") }
}
