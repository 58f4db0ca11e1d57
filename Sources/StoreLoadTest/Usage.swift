extension Options {
  /// The text that `--help` prints.
  static let usage = """
    usage: StoreLoadTest [SCENARIO ...] [options]

    Puts stores under load with many kinds of calls, and checks for wrong order, lost updates, and deadlocks. Most cases
    alternate with a baseline, such as a bare actor or a hand-written fan-out. The main figure of such a case is the
    median of the ratios of all pairs. A figure above its limit marks the case as slower or larger than expected.
    The scenario chaos performs 5000000 random operations on atoms if you name it, and 200000 with --quick or by default.
    It prints the number of operations of each kind.

      SCENARIO          \(lines(Scenario.all.map(\.name)))
                        Default: all except \(Scenario.all.filter(\.isOptional).map(\.name).joined(separator: ", "))
      --seconds S       set the approximate total time; the default is 30
      --quick           take about 8 seconds, and a few more for chaos; the figures vary more
      --dispatches N    time N operations in each case that counts them (more if needed to complete a round),
                        regardless of the total time
      --tasks N         use N tasks, in scenarios that support this option
      --subscribers N   use N subscribers, in scenarios that support this option
      --enforce-limits  fail if a figure is above its limit in each of five measurements; figures depend on the machine
                        and on what else it runs, so this is for machines whose figures you know
      --seed N          set the seed of the workload (not of the schedule); the default is 1
      --json            print one JSON object and nothing else
      --report FILE     write an HTML page with charts, which needs no network and no scripts
      --list            list the scenarios, their cases, and the options that they support, and run nothing
      --allocations     count the heap calls of dispatches and commits, and run no scenarios
      --repeat WHAT     repeat WHAT as many times as --dispatches specifies, for tools that count instructions:
                        \(Repeated.allCases.map(\.rawValue).joined(separator: ", "))
      --help            print this help

    Exit status:
      0                 All checks passed. Figures above their limits do not count without --enforce-limits.
      1                 A check failed, the program made no progress for ten seconds, or it could not write the report
                        or count heap calls.
      2                 The usage was wrong.
      130               The user pressed Ctrl-C, which prints the results so far.
    """

  private static func lines(_ names: [String]) -> String {
    var lines = [""]
    for name in names {
      let addition = lines[lines.count - 1].isEmpty ? name : " " + name
      if lines[lines.count - 1].count + addition.count > 90 {
        lines.append(name)
      } else {
        lines[lines.count - 1] += addition
      }
    }
    return lines.joined(separator: "\n                    ")
  }
}
