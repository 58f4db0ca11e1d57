import Testing

@testable import StoreLoadTest

/// The meaning of command lines, the rejection of invalid ones, and the names of cases.
@Suite struct OptionParserTests {
  private let parser = OptionParser(scenarios: [
    ("dispatch", [.tasks, .dispatches]), ("fanout", [.subscribers, .dispatches]), ("growth", [.dispatches]),
  ])

  private func parse(_ line: String) throws(WrongUsage) -> Options {
    try parser.parse(line.split(separator: " ", omittingEmptySubsequences: true).map(String.init))
  }

  @Test func parsesNoArguments() throws {
    #expect(try parse("") == Options())
  }

  @Test func parsesAllOptions() throws {
    let line =
      "fanout --tasks 3 --dispatches 500 --subscribers=7 --seconds 2.5 --seed 18446744073709551615 --json "
      + "--enforce-limits --report page.html dispatch"
    #expect(
      try parse(line)
        == Options(
          scenarios: ["fanout", "dispatch"], tasks: 3, dispatches: 500, subscribers: 7, seconds: 2.5, seed: .max,
          isJSON: true, enforcesLimits: true, report: "page.html"))
  }

  @Test func parsesModes() throws {
    #expect(try parse("--quick") == Options(seconds: OptionParser.quickSeconds, isQuick: true))
    #expect(try parse("--list growth") == Options(mode: .list, scenarios: ["growth"]))
    #expect(try parse("--allocations --json") == Options(mode: .allocations, isJSON: true))
    #expect(try parse("--repeat commit --dispatches 5") == Options(mode: .repeat(.commit), dispatches: 5))
    #expect(try parse("--dispatches 5 --seconds 2") == Options(dispatches: 5, seconds: 2))
    #expect(try parse("-h --list --quick").mode == .help)
  }

  @Test(
    arguments: [
      ("nonsense", "unknown scenario 'nonsense'; the scenarios are dispatch, fanout, growth"),
      ("growth growth", "the scenario growth was given twice"),
      ("--fast", "unknown option '--fast'; the options are"),
      ("-x", "unknown option '-x'; the options are"),
      ("--quick --quick", "--quick was given twice"),
      ("--tasks 2 --tasks=3", "--tasks was given twice"),
      ("--quick=yes", "--quick takes no value"),
      ("--tasks", "--tasks requires a value"),
      ("--tasks=", "--tasks requires a value"),
      ("--tasks --json", "--tasks requires a value"),
      ("--report --json", "--report requires a value"),
      ("--tasks 0", "--tasks must be a whole number from 1 to 1000000, not '0'"),
      ("--tasks -4", "--tasks must be a whole number from 1 to 1000000, not '-4'"),
      ("--tasks 1.5", "--tasks must be a whole number from 1 to 1000000, not '1.5'"),
      ("--tasks many", "--tasks must be a whole number from 1 to 1000000, not 'many'"),
      ("--tasks 99999999999999999999999", "--tasks must be a whole number from 1 to 1000000"),
      ("--dispatches 0", "--dispatches must be a whole number from 1"),
      ("--subscribers 0", "--subscribers must be a whole number from 1"),
      ("--seed 0", "--seed must be a whole number from 1"),
      ("--seed x", "--seed must be a whole number from 1"),
      ("--seconds 0", "--seconds must be a number from 1 to 604800 (a week), not '0'"),
      ("--seconds 0.5", "--seconds must be a number from 1"), ("--seconds nan", "--seconds must be a number from 1"),
      ("--seconds inf", "--seconds must be a number from 1"), ("--seconds -3", "--seconds must be a number from 1"),
      ("--quick --seconds 5", "--quick and --seconds cannot be combined"),
      ("--list --json", "--list and --json cannot be combined"),
      ("--list --allocations", "--list and --allocations cannot be combined"),
      ("--list --enforce-limits", "--list and --enforce-limits cannot be combined"),
      ("--allocations --tasks 4", "--allocations and --tasks cannot be combined"),
      ("--allocations growth", "--allocations runs no scenarios, but growth was given"),
      ("--repeat dispatch", "--repeat requires --dispatches"),
      (
        "--repeat all --dispatches 4",
        "--repeat must be one of dispatch, watched, action, closure, send, transaction, async-transaction, middleware, group, commit, atom-set, atom-derived, atom-chain, atom-diamonds, atom-fan, atom-watched, atom-use, atom-run, not 'all'"
      ),
      ("growth --subscribers 4", "--subscribers has no effect on growth, only on fanout"),
      ("growth fanout --tasks 4", "--tasks has no effect on growth, fanout, only on dispatch"),
    ])
  func rejects(line: String, why: String) {
    let error = #expect(throws: WrongUsage.self) { try parse(line) }
    #expect(error?.description.hasPrefix(why) == true, "\(error?.description ?? "accepted")")
  }

  /// Comparisons with earlier figures depend on these names.
  @Test func caseNamesAreStable() {
    let names = Dictionary(
      uniqueKeysWithValues: Scenario.all.map { ($0.name, $0.cases(Options()).map(\.name)) })
    let expected = [
      "dispatch": ["mutation, 1 task", "mutation, 8 tasks", "mutation, 64 tasks", "mutation, 1000 tasks"]
        + ["action, 1 task", "action, 8 tasks", "action, 64 tasks", "action, 1000 tasks"],
      "guarded": ["guarded mutation, 1 task"],
      "around": [
        "added by didEnd", "added by didEnd with timing", "added by a logger", "added by metrics",
        "added by transitions", "metrics of 100000 stores", "added by a watchdog", "sweep over 100000 stores",
        "added by a synchronous middleware", "added by an asynchronous middleware", "added by retry once",
      ],
      "send": ["mutation", "action"],
      "suspending": ["suspending, 1 task"],
      "priority": ["100 actions, busy at background priority", "100 suspending actions, busy at background priority"],
      "events": [
        "1 of 10", "1 of 1000", "1 of 10000", "selection at depth 1", "selection at depth 3", "selection at depth 6",
      ],
      "components": ["1 of 1000 rows"],
      "history": [
        "recorded mutation", "recorded mutation of 100000 elements", "undo", "undo among 100000 entries",
        "export of 1 MB", "import of 1 MB",
      ],
      "growth": ["10 elements", "1000 elements", "100000 elements", "1000000 elements"],
      "fanout": [
        "unbounded, 1000 behind", "newest(1), 1000 behind", "unbounded, 1000 reading", "newest(1), 1000 reading",
      ],
    ]
    for (scenario, cases) in expected { #expect(names[scenario]?.starts(with: cases) == true, "\(scenario)") }
    let scenarios = ["ordering", "nested", "cancel", "churn", "soak"]
    #expect(scenarios.allSatisfy { names[$0]?.isEmpty == false })
  }

  @Test func caseNamesContainTheirSizes() {
    let options = Options(tasks: 3, subscribers: 7)
    let names = Scenario.all.flatMap { $0.cases(options).map(\.name) }
    #expect(names.contains("action, 3 tasks") && !names.contains("action, 8 tasks"))
    #expect(names.contains("newest(1), 7 reading") && !names.contains("newest(1), 1000 reading"))
  }
}
