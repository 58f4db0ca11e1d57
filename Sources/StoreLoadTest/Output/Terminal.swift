import Foundation

/// The properties of the terminal.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard error is a terminal that can return to the start of a line.
  static var isError: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The number of characters in a line, or `nil` if it is unknown.
  static var width: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 || ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
    else { return nil }
    return size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
