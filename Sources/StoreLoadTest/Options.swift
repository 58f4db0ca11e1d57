/// What the command line asks for.
struct Options {
  var isQuick = false

  enum Parsed {
    case run(Options)
    case help
    case wrong(String)
  }

  static let usage = """
    usage: StoreLoadTest [--quick] [--help]

    Loads a store with every kind of call, checks order, loss and deadlock meanwhile, and times each case against a
    bare actor in the same run. Takes about 40 seconds; --quick about eight.

    Exit status: 0 all checks passed, 1 a violation or a stall, 2 wrong usage.
    """

  static func parse(_ arguments: [String]) -> Parsed {
    var options = Options()
    for argument in arguments {
      switch argument {
      case "--help", "-h": return .help
      case "--quick" where options.isQuick: return .wrong("--quick was given twice")
      case "--quick": options.isQuick = true
      default: return .wrong("unknown argument '\(argument)'; allowed are --quick and --help")
      }
    }
    return .run(options)
  }
}
