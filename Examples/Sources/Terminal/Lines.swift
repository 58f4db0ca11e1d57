import Foundation

/// The lines that the user enters, until the end of the input.
///
/// A closed input counts as empty. Call the function before the program opens a file or starts a thread.
///
/// A dedicated thread reads them, because reading blocks.
package func terminalLines() -> AsyncStream<String> {
  // The next file that a process opens takes the number of a closed input, and would be read instead of it.
  if fcntl(STDIN_FILENO, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  Thread.detachNewThread {
    while let line = readLine() { continuation.yield(line) }
    continuation.finish()
  }
  return lines
}
