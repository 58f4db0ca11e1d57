/// What the command line asks for.
struct Options {
  var isQuick = false
  /// What to run; all but the crowd when it is empty.
  var groups: [String] = []

  enum Parsed {
    case run(Options)
    case help
    case wrong(String)
  }

  static let usage = """
    usage: StoreLoadTest [SCENARIO ...] [--quick] [--help]

    Loads a store with every kind of call, checks order, loss and deadlock meanwhile, and times each case against a
    bare actor in the same run. Takes about 45 seconds; --quick about ten.

    SCENARIO is one of \(Scenario.groups.map(\.name).joined(separator: ", ")).
    Without any: all but crowd, which is 1,000 subscribers and 100,000 commits, and takes minutes.

    Exit status: 0 all checks passed, 1 a violation or a stall, 2 wrong usage.
    """

  static func parse(_ arguments: [String]) -> Parsed {
    var options = Options()
    for argument in arguments {
      switch argument {
      case "--help", "-h": return .help
      case "--quick" where options.isQuick: return .wrong("--quick was given twice")
      case "--quick": options.isQuick = true
      case _ where options.groups.contains(argument): return .wrong("\(argument) was given twice")
      case _ where Scenario.groups.contains { $0.name == argument }: options.groups.append(argument)
      case _ where argument.hasPrefix("-"):
        return .wrong("unknown option '\(argument)'; allowed are --quick and --help")
      default:
        let names = Scenario.groups.map(\.name).joined(separator: ", ")
        return .wrong("unknown scenario '\(argument)'; there are \(names)")
      }
    }
    return .run(options)
  }
}
