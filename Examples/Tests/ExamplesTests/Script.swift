import Atoms
import Synchronization

/// A stream of lines.
func script(_ lines: String...) -> AsyncStream<String> { script(lines) }

/// A stream of lines.
func script(_ lines: [String]) -> AsyncStream<String> {
  AsyncStream { continuation in
    for line in lines { continuation.yield(line) }
    continuation.finish()
  }
}

/// The texts that a program has printed.
final class Printer: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  @Sendable func print(_ text: String) { texts.withLock { $0.append(text) } }
}
