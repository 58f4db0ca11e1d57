import Foundation

/// How much memory the process has had in use at most, since it was last asked to begin anew.
///
/// Linux says so in `VmHWM`, and begins anew when a 5 is written to `clear_refs`; where it does not, nothing is said.
struct PeakMemory {
  private let canBegin: Bool

  /// Begins anew.
  init() {
    canBegin = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
  }

  var bytes: Int? {
    guard canBegin, let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
