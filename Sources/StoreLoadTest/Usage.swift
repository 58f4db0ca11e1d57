extension Options {
  /// What `--help` prints.
  static let usage = """
    usage: StoreLoadTest [SCENARIO ...] [options]

    Loads stores with every kind of call, checks order, loss and deadlock meanwhile, and times each case in turns with
    its baseline: a bare actor, a fan-out by hand, or what stands there. The figure that counts is the median of the
    ratios of each pair.

      SCENARIO          \(lines(Scenario.all.map(\.name)))
                        Without any: all of them but \(Scenario.all.filter(\.isOptional).map(\.name).joined(separator: ", ")).
      --seconds S       how long all of it may take, about; 30 if not given
      --quick           about 8 seconds, whose figures vary more
      --dispatches N    N operations in each case that counts them, or as many more as make a round, however long
                        that takes
      --tasks N         N tasks, where there are some
      --subscribers N   N subscribers, where there are some
      --seed N          the seed of the workload, not of the schedule; 1 if not given
      --json            print one JSON object and nothing else
      --report FILE     write a page with charts, HTML, which needs no network and no script
      --list            name the scenarios and their cases, and run nothing
      --allocations     count the heap calls of a dispatch and of a commit instead
      --repeat WHAT     do WHAT as often as --dispatches says, for tools that count instructions:
                        \(Repeated.allCases.map(\.rawValue).joined(separator: ", "))
      --help            print this

    Exit status: 0 all checks passed; 1 a violation, or nothing moved for ten seconds; 2 wrong usage; 130 after Ctrl-C,
    with what was measured until then.
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
