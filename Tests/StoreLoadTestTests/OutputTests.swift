import Foundation
import Testing

@testable import StoreLoadTest

/// The output formats of results: a table, lines, JSON, and a page.
@Suite struct OutputTests {
  private static func result(_ name: String, _ case: String, median: Double, violations: Int = 0) -> CaseResult {
    var latencies = Latencies()
    for figure in [80, 80, 80, 2_000] { latencies.record(UInt64(figure)) }
    return CaseResult(
      name: name, case: `case`, operations: 1_000,
      nanosecondsPerOperation: Spread([median * 100]), latencyNanoseconds: LatencySummary(latencies),
      baseline: .init(name: "bare <actor>", nanosecondsPerOperation: Spread([100])),
      ratio: Spread([median / 2, median, median * 2]), peakMemoryBytes: 5_000_000, violations: violations)
  }

  private let report = Report(
    machine: .init(
      cores: 2, os: "An OS & more", swift: "6.3", configuration: "release", cacheLineRoundTripNanoseconds: 83), seed: 4,
    scenarios: [
      result("dispatch", "mutation, 1 task", median: 0.7), result("dispatch", "action, 1 task", median: 2),
      result("fanout", "unbounded, 1000 behind", median: 0.002, violations: 1),
      CaseResult(name: "memory", case: "a stream", operations: 5, heapBytes: 627, violations: 0),
    ], violations: 1)

  // MARK: Numbers

  @Test func numbersAreShort() {
    #expect(
      [0.4, 7.123, 71.23, 712.3, 999.6, 7_123, 7.123e6, 7.123e9, 7.123e12].map(Numbers.time) == [
        "0.40 ns", "7.12 ns", "71.2 ns", "712 ns", "1.00 us", "7.12 us", "7.12 ms", "7.12 s", "7123 s",
      ])
    #expect(
      [0, 627, 1_000, -2_048, 5_000_000].map(Numbers.bytes) == ["0 B", "627 B", "0.98 KB", "-2.00 KB", "4.77 MB"])
    #expect([0.002, 0.7, 12.34, 1_234, -0.5].map(Numbers.ratio) == ["1/500", "0.70", "12.3", "1234", "-0.50"])
    #expect(["10.0 us", "1.00", "0.10", "100 ns"].map(Numbers.withoutZeros) == ["10 us", "1", "0.1", "100 ns"])
  }

  @Test func scalesBeginAndEndWithAPowerOfTen() throws {
    let scale = try #require(LogarithmicScale([3, 0, 450]))
    #expect([scale.least, scale.greatest] == [1, 1_000])
    #expect(scale.ticks == [1, 10, 100, 1_000])
    #expect(scale.position(of: 0) == 0 && scale.position(of: 1_000) == 1)
    #expect(abs(scale.position(of: 10) - 1 / 3) < 1e-9)
    #expect(LogarithmicScale([]) == nil && LogarithmicScale([0, -1]) == nil)
    #expect(LogarithmicScale([100])?.ticks == [100, 1_000])
  }

  // MARK: Tables

  @Test func tableLeavesOutColumnsThatDoNotFit() {
    for width in [60, 80, 100, 140, 200] {
      let lines = Table(report.scenarios, width: width).text.split(separator: "\n")
      let block = lines
      #expect(block.allSatisfy { $0.count <= width }, "\(width)")
      #expect(block.contains { $0.hasPrefix("  action, 1 task ") })
    }
    let wide = Table(report.scenarios, width: 300).text
    #expect(wide.contains("bare <actor>, 100 ns"))
    #expect(wide.contains("0.35 to 1.40"))
    #expect(wide.contains("█") && wide.contains("░"))
    let narrow = Table(report.scenarios, width: 60).text
    #expect(narrow.contains("\nlatency\n  dispatch: mutation, 1 task") && narrow.contains("█"))
    #expect(Table([], width: 80).text == "nothing was measured")
  }

  // MARK: Limits

  /// A terminal, a pipe, JSON, and a page all mark a row that misses its limit.
  @Test func allFormatsMarkMissedLimits() throws {
    var slow = Self.result("atoms", "async run", median: 3.1)
    slow.missedLimit = Limit.ratio(3).missed(by: Figures(operations: 1_000, ratio: Spread([3.1])))
    let report = Report(machine: report.machine, seed: 1, scenarios: [report.scenarios[0], slow], violations: 0)
    let note = "slower than expected (ratio above 3)"
    #expect(Columns.plain.line(slow).hasSuffix("  \(note)"))
    #expect(Table(report.scenarios, width: 300).text.contains("  \(note)\n"))
    #expect(Table(report.scenarios, width: 60).text.contains("\nlimit\n  atoms: async run: \(note)\n"))
    let page = HTMLPage(report).text
    #expect(page.contains("atoms: async run <span class=\"bad\">\(note)</span>"))
    #expect(page.contains("to bare &lt;actor&gt;, \(note)"))
    #expect(page.contains("<p class=\"good\">all checks passed; 1 case is slower than expected</p>"))
    let text = try JSONPrinter.text(of: report)
    #expect(text.contains("\"mark\" : \"slower than expected\""))
    #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)) == report)
  }

  @Test func linesHaveFixedColumns() {
    let columns = Columns.plain
    #expect(columns.line(report.scenarios[0]).split(separator: " ").suffix(1) == ["0"])
    #expect(columns.line(report.scenarios[2]).contains("1/500"))
    #expect(columns.headings.count == columns.line(report.scenarios[3]).count)
    #expect(columns.line(report.scenarios[3]).contains("627 B"))
  }

  @Test func progressBarFitsItsLine() {
    #expect(ProgressBar.line(0.5, 3, "dispatch", width: 80).hasSuffix(" 50%, 3 s, dispatch"))
    #expect(ProgressBar.line(0.5, 3, String(repeating: "x", count: 100), width: 80).count == 79)
    #expect(ProgressBar.line(1, 3, "end", width: 80).filter { $0 == "█" }.count == 24)
  }

  // MARK: JSON

  @Test func jsonLeavesOutFieldsWithoutValues() throws {
    let text = try JSONPrinter.text(of: report)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["version", "machine", "seed", "scenarios", "violations"])
    #expect(object["version"] as? Int == 1 && object["violations"] as? Int == 1 && object["seed"] as? Int == 4)
    let scenarios = try #require(object["scenarios"] as? [[String: Any]])
    #expect(
      Set(scenarios[0].keys) == [
        "name", "case", "operations", "nanosecondsPerOperation", "latencyNanoseconds", "baseline", "ratio",
        "peakMemoryBytes", "violations",
      ])
    #expect(Set(scenarios[3].keys) == ["name", "case", "operations", "heapBytes", "violations"])
    #expect(text.contains("\"p999\" : 2000"))
    #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)) == report)
  }

  @Test func headingDescribesTheMachine() throws {
    #expect(report.heading == "An OS & more, 2 cores, cache line round trip 83.0 ns, Swift 6.3, release, seed 4")
    let text = try JSONPrinter.text(of: report)
    #expect(text.contains("\"cacheLineRoundTripNanoseconds\" : 83"))
    #expect(HTMLPage(report).text.contains("cache line round trip 83.0 ns"))
    let unknown = Report.Machine(
      cores: 1, os: "Another", swift: "6.3", configuration: "debug", cacheLineRoundTripNanoseconds: nil)
    let other = Report(machine: unknown, seed: 1, scenarios: [], violations: 0)
    #expect(other.heading == "Another, 1 core, Swift 6.3, debug, seed 1")
    #expect(try !JSONPrinter.text(of: other).contains("cacheLine"))
  }

  // MARK: Pages

  /// The page refers to no other resource, and each of its elements is closed.
  @Test func pageIsSelfContained() throws {
    let page = HTMLPage(report).text
    #expect(!page.contains("<script") && !page.contains("http") && !page.contains("src=") && !page.contains("@import"))
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"))
    #expect(page.contains("bare &lt;actor&gt;") && page.contains("An OS &amp; more"))
    #expect(page.contains("1 violation"))
    var open: [Substring] = []
    for tag in page.matches(of: /<(\/?)([a-zA-Z0-9]+)[^>]*?(\/?)>/) where !["meta"].contains(tag.2) {
      if !tag.1.isEmpty {
        #expect(open.popLast() == tag.2)
      } else if tag.3.isEmpty {
        open.append(tag.2)
      }
    }
    #expect(open.isEmpty)
  }

  @Test func pageWithoutResults() {
    let empty = Report(machine: report.machine, seed: 1, scenarios: [], violations: 0, incomplete: "stalled")
    #expect(HTMLPage(empty).text.contains("<p class=\"bad\">stalled; nothing was checked"))
  }
}
