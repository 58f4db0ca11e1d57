import Foundation

/// The lines that the user enters, until the end of the input.
///
/// A dedicated thread reads them, because reading blocks.
package func terminalLines() -> AsyncStream<String> {
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  Thread.detachNewThread {
    while let line = readLine() { continuation.yield(line) }
    continuation.finish()
  }
  return lines
}
