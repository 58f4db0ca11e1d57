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
    do {
      print(try Self.text(of: report))
    } catch {
      // No figure is infinite: the ratios that are not finite are left out.
      preconditionFailure("StoreLoadTest: results that are not JSON: \(error)")
    }
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
    let line = machine.cacheLineRoundTripNanoseconds.map { ", cache line \(Numbers.time($0)) there and back" } ?? ""
    let cores = machine.cores == 1 ? "1 core" : "\(machine.cores) cores"
    return "\(machine.os), \(cores)\(line), Swift \(machine.swift), \(machine.configuration), seed \(seed)"
  }

  /// One line about the checks.
  var conclusion: String {
    let found = violations == 1 ? "1 violation" : "\(violations) violations"
    if scenarios.isEmpty && violations == 0 {
      return incomplete.map { "\($0); nothing was checked" } ?? "nothing was checked"
    }
    guard let incomplete else { return violations == 0 ? "all checks passed" : found }
    return "\(incomplete); " + (violations == 0 ? "all checks until then passed" : found)
  }

  /// Whether nothing is known to be wrong.
  var isGood: Bool { violations == 0 && incomplete != "stalled" }
}
