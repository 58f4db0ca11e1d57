import Foundation

/// How results are said.
protocol Output: Sendable {
  /// Before anything is measured; `report` has no results yet.
  func begin(_ report: Report)
  func measured(_ result: CaseResult)
  func end(_ report: Report)
}

extension Output {
  static var debugNote: String {
    "This is a debug build: its checks hold, its figures mean nothing. Use swift run -c release StoreLoadTest."
  }
}

/// One object, and nothing else.
struct JSONOutput: Output {
  func begin(_ report: Report) {
    if isDebug { say(Self.debugNote) }
  }

  func measured(_ result: CaseResult) {}

  func end(_ report: Report) {
    print((try? Self.text(of: report)) ?? "{}")
  }

  static func text(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}

/// A line for each case as soon as it is measured: for pipes and files.
struct LineOutput: Output {
  func begin(_ report: Report) {
    if isDebug { print(Self.debugNote) }
    print(report.heading)
    print(Columns.plain.headings)
    flush()
  }

  func measured(_ result: CaseResult) {
    print(Columns.plain.line(result))
    flush()
  }

  func end(_ report: Report) {
    print(report.conclusion)
    flush()
  }
}

/// A table with bars, at the end: for terminals.
struct TableOutput: Output {
  func begin(_ report: Report) {
    if isDebug { print(Self.debugNote) }
    print(report.heading)
    flush()
  }

  func measured(_ result: CaseResult) {}

  func end(_ report: Report) {
    print(Table(report.scenarios, width: Terminal.width ?? 120).text)
    print("\n" + report.conclusion)
    flush()
  }
}

/// What was printed is to be seen now, also through a pipe.
private func flush() { fflush(nil) }

extension Report {
  /// One line about the machine.
  var heading: String {
    "\(machine.os), \(machine.cores) cores, Swift \(machine.swift), \(machine.configuration), seed \(seed)"
  }

  /// One line about the checks.
  var conclusion: String {
    let end = incomplete.map { "\($0); " } ?? ""
    let violations = violations == 1 ? "1 violation" : "\(violations) violations"
    return end + (self.violations == 0 ? "all checks passed" : violations)
  }
}
