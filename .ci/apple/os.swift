// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stand-ins for declarations of the module `os`, so that a platform without it can compile and run the `os.Logger`
// example. A logger redacts private text and keeps its lines for the checks.

import Synchronization

public struct OSLogType: Equatable, Sendable {
  public static let `default` = OSLogType(name: "default")
  public static let info = OSLogType(name: "info")
  public static let debug = OSLogType(name: "debug")
  public static let error = OSLogType(name: "error")
  public static let fault = OSLogType(name: "fault")

  fileprivate let name: String
}

public struct OSLogPrivacy: Equatable, Sendable {
  public static let auto = OSLogPrivacy(isPublic: false)
  public static let `public` = OSLogPrivacy(isPublic: true)
  public static let `private` = OSLogPrivacy(isPublic: false)

  fileprivate let isPublic: Bool
}

public enum OSLogStringAlignment: Sendable { case none }

public struct OSLogInterpolation: StringInterpolationProtocol {
  fileprivate var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) {}

  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation(
    _ argument: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    attributes: String = ""
  ) { text += privacy.isPublic ? argument() : "<private>" }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
  fileprivate let text: String

  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
  public init(stringLiteral value: String) { text = value }
}

public struct Logger: Sendable {
  private static let lines = Mutex<[String]>([])
  /// The lines of all loggers, which Apple's `Logger` does not keep.
  public static var written: [String] { lines.withLock { $0 } }
  private let (subsystem, category): (String, String)

  public init(subsystem: String, category: String) { (self.subsystem, self.category) = (subsystem, category) }

  public func log(level: OSLogType, _ message: OSLogMessage) {
    Self.lines.withLock { $0.append("[\(subsystem):\(category)] \(level.name) \(message.text)") }
  }
}
