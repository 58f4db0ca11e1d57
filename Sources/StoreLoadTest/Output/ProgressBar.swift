import Foundation
import Synchronization

/// A line on standard error that shows the progress of the run and its current case.
///
/// Draws nothing if standard error is not a terminal.
final class ProgressBar: Sendable {
  private struct Step: Sendable {
    var name = ""
    var from = 0.0
    var to = 0.0
    /// The approximate duration, in nanoseconds.
    var duration = 1.0
    var began = now()
  }

  private struct State: Sendable {
    var step: Step?
    var isOver = false
  }

  private let state = Mutex(State())
  private let began = now()

  init() {
    guard Terminal.isError else { return }
    // The progress bar has its own thread, because the threads of the pool are under load.
    Thread.detachNewThread { [weak self] in
      while self?.draw() == true { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  /// Shows a step that takes about the given time and advances the run from one fraction to another.
  func show(_ name: String, from: Double, to: Double, in seconds: Double) {
    state.withLock { $0.step = Step(name: name, from: from, to: to, duration: max(1, seconds * 1e9)) }
  }

  /// Clears the line to make room for other output.
  func clear() {
    state.withLock { state in
      if state.step != nil { Self.write("\r\u{1B}[K") }
      state.step = nil
    }
  }

  func stop() {
    clear()
    state.withLock { $0.isOver = true }
  }

  /// Draws the line, or returns `false` if the run is over.
  private func draw() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      guard let step = state.step else { return true }
      // A step does not appear complete before it ends.
      let part = min(0.98, Double(now() - step.began) / step.duration)
      let done = step.from + (step.to - step.from) * part
      let seconds = Int(Double(now() - began) / 1e9)
      Self.write("\r\u{1B}[K" + Self.line(done, seconds, step.name, width: Terminal.width ?? 80))
      return true
    }
  }

  static func line(_ done: Double, _ seconds: Int, _ name: String, width: Int) -> String {
    let bar = 24
    let filled = min(bar, Int(done * Double(bar)))
    let text =
      String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled)
      + " \(Int(done * 100))%, \(seconds) s, \(name)"
    return String(text.prefix(max(1, width - 1)))
  }

  private static func write(_ text: String) {
    guard Terminal.isError else { return }
    FileHandle.standardError.write(Data(text.utf8))
  }
}
