import Foundation

/// One line on standard error that shows how far the run has come; nothing where that is not a terminal.
struct Progress {
  let total: Int
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(total: Int) {
    self.total = total
  }

  func show(_ done: Int, _ name: String) {
    guard isTerminal else { return }
    let width = 24
    let filled = total == 0 ? width : done * width / total
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    FileHandle.standardError.write(Data("\r\u{1B}[K\(bar) \(name)".utf8))
  }

  func clear() {
    guard isTerminal else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
  }
}
