/// A parser that rejects unknown and contradictory arguments.
struct OptionParser {
  /// A size that users can set in scenarios that support it.
  enum Size: String, CaseIterable, Sendable {
    case tasks, dispatches, subscribers
  }

  /// The available scenarios, and the sizes that each supports.
  let scenarios: [(name: String, sizes: Set<Size>)]

  private static let flags = ["--quick", "--enforce-limits", "--json", "--list", "--allocations", "--help"]
  private static let valued = [
    "--tasks", "--dispatches", "--subscribers", "--seconds", "--seed", "--report", "--repeat",
  ]
  static let quickSeconds = 8.0

  func parse(_ arguments: [String]) throws(WrongUsage) -> Options {
    var options = Options()
    var given: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        try add(argument, to: &options)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-h" ? "--help" : parts[0]
      if given.contains(name) { throw WrongUsage("\(name) was given twice") }
      given.append(name)
      if Self.flags.contains(name) {
        if parts.count > 1 { throw WrongUsage("\(name) takes no value") }
        set(name, &options)
      } else if Self.valued.contains(name) {
        let value = parts.count > 1 ? parts[1] : rest.popFirst()
        try set(name, to: value, &options)
      } else {
        let allowed = (Self.flags + Self.valued).sorted().joined(separator: ", ")
        throw WrongUsage("unknown option '\(argument)'; the options are \(allowed)")
      }
    }
    if given.contains("--help") {
      options.mode = .help
    } else {
      try refuseContradictions(options, given)
    }
    return options
  }

  private func add(_ scenario: String, to options: inout Options) throws(WrongUsage) {
    guard scenarios.contains(where: { $0.name == scenario }) else {
      let names = scenarios.map(\.name).joined(separator: ", ")
      throw WrongUsage("unknown scenario '\(scenario)'; the scenarios are \(names)")
    }
    if options.scenarios.contains(scenario) { throw WrongUsage("the scenario \(scenario) was given twice") }
    options.scenarios.append(scenario)
  }

  private func set(_ flag: String, _ options: inout Options) {
    switch flag {
    case "--quick":
      options.isQuick = true
      options.seconds = Self.quickSeconds
    case "--enforce-limits": options.enforcesLimits = true
    case "--json": options.isJSON = true
    case "--list": options.mode = .list
    case "--allocations": options.mode = .allocations
    default: break
    }
  }

  private func set(_ name: String, to value: String?, _ options: inout Options) throws(WrongUsage) {
    guard let value, !value.isEmpty, Double(value) != nil || !value.hasPrefix("-") else {
      throw WrongUsage("\(name) requires a value")
    }
    switch name {
    case "--tasks": options.tasks = Int(try whole(name, value, upTo: 1_000_000))
    case "--dispatches": options.dispatches = Int(try whole(name, value, upTo: 1_000_000_000_000))
    case "--subscribers": options.subscribers = Int(try whole(name, value, upTo: 1_000_000))
    case "--seed": options.seed = try whole(name, value, upTo: .max)
    case "--seconds":
      guard let seconds = Double(value), seconds >= 1, seconds <= 604_800 else {
        throw WrongUsage("--seconds must be a number from 1 to 604800 (a week), not '\(value)'")
      }
      options.seconds = seconds
    case "--report": options.report = value
    default:
      guard let repeated = Repeated(rawValue: value) else {
        let allowed = Repeated.allCases.map(\.rawValue).joined(separator: ", ")
        throw WrongUsage("--repeat must be one of \(allowed), not '\(value)'")
      }
      options.mode = .repeat(repeated)
    }
  }

  private func whole(_ name: String, _ value: String, upTo limit: UInt64) throws(WrongUsage) -> UInt64 {
    guard let number = UInt64(value), number >= 1, number <= limit else {
      throw WrongUsage("\(name) must be a whole number from 1 to \(limit), not '\(value)'")
    }
    return number
  }

  // MARK: Contradictions

  private func refuseContradictions(_ options: Options, _ given: [String]) throws(WrongUsage) {
    let modes = given.filter { ["--list", "--allocations", "--repeat"].contains($0) }
    if modes.count > 1 { throw WrongUsage("\(modes[0]) and \(modes[1]) cannot be combined") }
    if let mode = modes.first { try refuseBeside(mode, options, given) }
    if options.isQuick && given.contains("--seconds") {
      throw WrongUsage(
        "--quick and --seconds cannot be combined: --quick takes about \(Int(Self.quickSeconds)) seconds")
    }
    for size in Size.allCases where modes.isEmpty && given.contains("--\(size)") && !options.scenarios.isEmpty {
      let heeding = scenarios.filter { $0.sizes.contains(size) }.map(\.name)
      if Set(heeding).isDisjoint(with: options.scenarios) {
        throw WrongUsage(
          "--\(size) has no effect on \(options.scenarios.joined(separator: ", ")), only on "
            + heeding.joined(separator: ", "))
      }
    }
  }

  private func refuseBeside(_ mode: String, _ options: Options, _ given: [String]) throws(WrongUsage) {
    let allowed = ["--list": [], "--allocations": ["--json"], "--repeat": ["--dispatches"]][mode] ?? []
    if let other = given.first(where: { $0 != mode && !allowed.contains($0) }) {
      throw WrongUsage("\(mode) and \(other) cannot be combined")
    }
    if let scenario = options.scenarios.first, mode != "--list" {
      throw WrongUsage("\(mode) runs no scenarios, but \(scenario) was given")
    }
    if mode == "--repeat", options.dispatches == nil { throw WrongUsage("--repeat requires --dispatches") }
  }
}
