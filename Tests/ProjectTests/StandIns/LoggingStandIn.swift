// Declarations that mirror those of swift-log and of Apple's module `os`, so that this package compiles the examples
// without a dependency, and on all platforms.

enum Logging {
  struct Logger: Sendable {
    typealias Metadata = [String: MetadataValue]

    enum Level: String, Sendable {
      case trace, debug, info, notice, warning, error, critical
    }

    struct Message: ExpressibleByStringInterpolation, Sendable {
      let text: String

      init(stringLiteral text: String) { self.text = text }
    }

    enum MetadataValue: ExpressibleByStringInterpolation, Equatable, Sendable {
      case string(String)

      init(stringLiteral text: String) { self = .string(text) }
    }

    let note: @Sendable (Level, String, Metadata) -> Void

    func log(
      level: Level,
      _ message: @autoclosure () -> Message,
      metadata: @autoclosure () -> Metadata? = nil
    ) {
      note(level, message().text, metadata() ?? [:])
    }
  }
}

#if !canImport(os)
  struct OSLogType: Equatable, Sendable {
    static let (debug, error) = (OSLogType(name: "debug"), OSLogType(name: "error"))

    let name: String
  }

  enum OSLogPrivacy {
    case `public`, `private`
  }

  struct OSLogMessage: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
      var text = ""

      init(literalCapacity: Int, interpolationCount: Int) {}

      mutating func appendLiteral(_ text: String) { self.text += text }

      mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private) {
        self.text += privacy == .public ? text() : "<private>"
      }
    }

    let text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  }

  // swift-format-ignore: TypeNamesShouldBeCapitalized
  enum os {
    struct Logger: Sendable {
      let note: @Sendable (OSLogType, String) -> Void

      func log(level: OSLogType, _ message: OSLogMessage) { note(level, message.text) }
    }
  }
#endif
