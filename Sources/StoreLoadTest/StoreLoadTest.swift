import Foundation

/// Loads a store, checks its promises meanwhile and prints what each case costs.
@main
struct StoreLoadTest {
  static func main() async {
    switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help:
      print(Options.usage)
    case .wrong(let why):
      say("StoreLoadTest: \(why)")
      exit(2)
    case .run(let options):
      exit(await run(Context(options)) ? 0 : 1)
    }
  }

  /// True when there was no violation.
  @concurrent
  private static func run(_ context: Context) async -> Bool {
    #if DEBUG
      print(
        "This is a debug build: its checks hold, its figures mean nothing. Use swift run -c release StoreLoadTest.\n")
    #endif
    startWatchdog(context)
    let asked = context.options.groups
    let scenarios = Scenario.groups.filter { asked.isEmpty ? !$0.isOptional : asked.contains($0.name) }
      .flatMap(\.scenarios)
    let progress = Progress(total: scenarios.count)
    var rows: [Row] = []
    for scenario in scenarios {
      progress.show(rows.count, scenario.name)
      rows.append(await scenario.run(context))
    }
    progress.clear()
    print(Report(rows: rows).text)
    let violations = context.violations
    for violation in violations { say("violation: \(violation)") }
    print(violations.isEmpty ? "\nall checks passed" : "\n\(violations.count) violations")
    return violations.isEmpty
  }
}
