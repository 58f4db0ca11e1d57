import Foundation

/// The peak resident memory of the process since the last reset.
///
/// Linux reports the peak in `VmHWM`, and resets it when the process writes 5 to `clear_refs`. If the reset fails, the
/// peak is unknown.
struct PeakMemory {
  private let canBegin: Bool

  /// Resets the peak.
  init() {
    canBegin = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
  }

  /// The peak, or `nil` if it is unknown.
  var bytes: Int? {
    guard canBegin, let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
