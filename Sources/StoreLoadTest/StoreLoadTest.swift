import Foundation

/// A program that puts stores under load, checks their promises, and prints the cost of each case.
@main
struct StoreLoadTest {
  static func main() async {
    do {
      let parser = OptionParser(scenarios: Scenario.all.map { ($0.name, $0.sizes) })
      let options = try parser.parse(Array(CommandLine.arguments.dropFirst()))
      try requireWritable(options.report)
      await run(options)
    } catch {
      say("StoreLoadTest: \(error)\nRun StoreLoadTest --help for the usage.")
      exit(2)
    }
  }

  private static func run(_ options: Options) async {
    switch options.mode {
    case .help: print(Options.usage)
    case .list: list(options)
    case .allocations: exit(countAllocations(options) ? 0 : 1)
    case .repeat(let repeated): repeated.run(options.dispatches ?? 1)
    case .run: await Session(options).run()
    }
  }

  /// Throws an error if the program cannot write the report, before it runs any scenario.
  private static func requireWritable(_ path: String?) throws(WrongUsage) {
    guard let path else { return }
    let exists = FileManager.default.fileExists(atPath: path)
    guard let file = fopen(path, "a") else {
      throw WrongUsage("--report cannot write to \(path): \(String(cString: strerror(errno)))")
    }
    fclose(file)
    if !exists { unlink(path) }
  }

  private static func list(_ options: Options) {
    for scenario in Scenario.all where options.scenarios.isEmpty || options.scenarios.contains(scenario.name) {
      let sizes = OptionParser.Size.allCases.filter(scenario.sizes.contains).map { "--\($0)" }
      let heeds = sizes.isEmpty ? "" : " (\(sizes.joined(separator: ", ")))"
      print("\(scenario.name): \(scenario.summary)\(scenario.isOptional ? "; runs only if you name it" : "")\(heeds)")
      for each in scenario.cases(options) { print("  \(each.name)") }
    }
  }

  /// Prints the counts of heap calls, and returns whether they are available and keep the promise (P17).
  private static func countAllocations(_ options: Options) -> Bool {
    guard let counts = Allocations.counts() else {
      say("StoreLoadTest: counting heap calls requires glibc and a build without sanitizers")
      return false
    }
    if options.isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print((try? encoder.encode(counts)).map { String(decoding: $0, as: UTF8.self) } ?? "[]")
    } else {
      if isDebug { print(JSONPrinter.debugNote) }
      for count in counts {
        let each = Double(count.heapCalls) / Double(count.operations)
        print(
          "\(count.name): \(Numbers.decimal(each, places: 2)) heap calls\(count.accepted.map { " (at most \($0 / count.operations))" } ?? "")"
        )
      }
    }
    for count in counts where count.isViolation {
      say(
        "violation: \(count.name): expected at most \(count.accepted ?? 0) heap calls, saw \(count.heapCalls) in \(count.operations) calls"
      )
    }
    return !counts.contains(where: \.isViolation)
  }
}
