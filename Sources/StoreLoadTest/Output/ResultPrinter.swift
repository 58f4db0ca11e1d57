import Foundation

/// A format in which the program prints results.
protocol ResultPrinter: Sendable {
  /// Begins the output before the first measurement, with a report that has no results yet.
  func begin(_ report: Report)
  func measured(_ result: CaseResult)
  func end(_ report: Report)
}

extension ResultPrinter {
  static var debugNote: String {
    "This is a debug build. Its checks are valid, but its figures are not. Use swift run -c release StoreLoadTest."
  }
}

/// Prints one JSON object, and nothing else.
struct JSONPrinter: ResultPrinter {
  func begin(_ report: Report) {
    if isDebug { say(Self.debugNote) }
  }

  func measured(_ result: CaseResult) {}

  func end(_ report: Report) {
    do {
      print(try Self.text(of: report))
    } catch {
      // All figures are finite, because `Bench` leaves out ratios that are not.
      preconditionFailure("StoreLoadTest: the results cannot be encoded as JSON: \(error)")
    }
  }

  static func text(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}

/// Prints a line for each case as soon as it is measured, for pipes and files.
struct LinePrinter: ResultPrinter {
  func begin(_ report: Report) {
    if isDebug { print(Self.debugNote) }
    print(report.heading)
    print(Columns.plain.headings)
    flush()
  }

  func measured(_ result: CaseResult) {
    print(Columns.plain.line(result))
    if let text = result.kindsText { print(text) }
    flush()
  }

  func end(_ report: Report) {
    print(report.conclusion)
    flush()
  }
}

/// Prints a table with bars at the end, for terminals.
struct TablePrinter: ResultPrinter {
  func begin(_ report: Report) {
    if isDebug { print(Self.debugNote) }
    print(report.heading)
    flush()
  }

  func measured(_ result: CaseResult) {}

  func end(_ report: Report) {
    print(Table(report.scenarios, width: Terminal.width ?? 120).text)
    for text in report.scenarios.compactMap(\.kindsText) { print("\n" + text) }
    print("\n" + report.conclusion)
    flush()
  }
}

/// Makes all printed text visible now, even through a pipe.
private func flush() { fflush(nil) }

extension CaseResult {
  /// A line for each kind of operation, with the number of operations and the duration of the longest one.
  var kindsText: String? {
    guard let kinds else { return nil }
    let width = kinds.map(\.name.count).max() ?? 0
    return kinds.map { kind in
      let name = "  \(kind.name)" + String(repeating: " ", count: width - kind.name.count)
      let count = "\(kind.operations)"
      let padding = String(repeating: " ", count: max(1, 12 - count.count))
      let longest = kind.longestNanoseconds.map { ", longest \(Numbers.time(Double($0)))" } ?? ""
      return name + padding + count + longest
    }.joined(separator: "\n")
  }
}

extension Report {
  /// One line that describes the machine, the build, and the seed.
  var heading: String {
    let line = machine.cacheLineRoundTripNanoseconds.map { ", cache line round trip \(Numbers.time($0))" } ?? ""
    let cores = machine.cores == 1 ? "1 core" : "\(machine.cores) cores"
    return "\(machine.os), \(cores)\(line), Swift \(machine.swift), \(machine.configuration), seed \(seed)"
  }

  /// One line that summarizes the checks.
  var conclusion: String {
    let found = violations == 1 ? "1 violation" : "\(violations) violations"
    if scenarios.isEmpty && violations == 0 {
      return incomplete.map { "\($0); nothing was checked" } ?? "nothing was checked"
    }
    guard let incomplete else { return (violations == 0 ? "all checks passed" : found) + missed }
    return "\(incomplete); " + (violations == 0 ? "all checks until then passed" : found) + missed
  }

  private var missed: String {
    let marks = Set(scenarios.compactMap(\.missedLimit?.mark)).sorted(by: >)
    return marks.map { mark in
      let count = scenarios.count { $0.missedLimit?.mark == mark }
      return "; \(count) \(count == 1 ? "case is" : "cases are") \(mark)"
    }.joined()
  }

  /// Whether the run found no violation and did not stall.
  var isGood: Bool { violations == 0 && incomplete != "stalled" }
}
