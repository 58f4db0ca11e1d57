import Foundation
import Testing

/// What must not be in the library.
@Suite struct HouseRulesTests {
  private struct Rule {
    let pattern: String
    let why: String
    var allowed: Set<String> = []
  }

  private static let common = [
    Rule(pattern: #"import Foundation"#, why: "the libraries do not import Foundation"),
    Rule(pattern: #"\bMutex\b"#, why: "there is one lock type", allowed: ["Support/Locked.swift"]),
  ]

  private static let library = [
    Rule(
      pattern: #"\bTask(\.detached|\.immediate)?\s*(\([^)]*\)\s*)?\{"#,
      why: "unstructured tasks come from inheritingTask"),
    Rule(
      pattern: #"(\bTask|\.detached|\.immediate)\((executorPreference|priority|operation|name)"#,
      why: "unstructured tasks come from inheritingTask", allowed: ["Support/InheritingTask.swift"]),
    Rule(
      pattern: #"\bunstarted_task_|UnstartedTask\.create"#, why: "tasks that are held stand in the queue for turns",
      allowed: ["Support/Shortcuts/RuntimeShortcuts.swift", "Turns/TurnLine.swift"]),
    Rule(
      pattern: #"\bcurrent_task_|\bunstarted_task_|swift_task_"#, why: "one file knows the runtime",
      allowed: ["Support/Shortcuts/RuntimeShortcuts.swift"]),
    Rule(pattern: #"Task\.sleep"#, why: "clocks are injected"),
    Rule(
      pattern: #"\bunsafe\b"#, why: "unsafe code stands in few files",
      allowed: [
        "Support/Shortcuts/RuntimeShortcuts.swift", "Support/InheritingTask.swift", "Support/Locked.swift",
        "Support/Nesting.swift", "Support/Parked.swift", "Support/StandardError.swift",
        "Turns/CancellationListener.swift", "Turns/StateCell.swift",
        "Subscriptions/Published.swift",
      ]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "so does unchecked code",
      allowed: [
        "Turns/StateCell.swift", "Subscriptions/Published.swift", "Observing/Observer.swift",
        "Support/Shortcuts/RuntimeShortcuts.swift", "Support/Locked.swift",
      ]),
  ]

  private static let testing = [
    Rule(
      pattern: #"\bTask(\.detached)?\s*(\([^)]*\)\s*)?\{"#, why: "tasks of a simulation stay inside it",
      // The root of a simulation; what leaves on purpose, to see whether it is noticed; and a text about it.
      allowed: ["Runtime/SimulatedExecutor.swift", "Runtime/EscapeProbe.swift", "Simulation/Escape.swift"]),
    Rule(
      pattern: #"Task\.sleep"#, why: "time is virtual",
      allowed: ["Runtime/EscapeProbe.swift", "Simulation/Escape.swift"]),
    Rule(
      pattern: #"\bunsafe\b"#, why: "unsafe code stands in few files",
      allowed: ["Runtime/SwiftRuntime.swift", "Runtime/SimulatedExecutor.swift"]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "so does unchecked code",
      allowed: [
        "Runtime/SwiftRuntime.swift", "Runtime/SimulatedExecutor.swift", "Runtime/CurrentThread.swift",
        "Report/Recording.swift",
      ]),
    Rule(
      pattern: #"dlsym|@_spi|@_silgen_name"#, why: "one file knows the runtime", allowed: ["Runtime/SwiftRuntime.swift"]
    ),
  ]

  @Test func holdInTheLibrary() throws {
    try expect(Self.common + Self.library, in: "Sources/ActorStore")
  }

  @Test func holdInTheTestingLibrary() throws {
    try expect(Self.common + Self.testing, in: "Sources/ActorStoreTesting")
  }

  private func expect(_ rules: [Rule], in folder: String) throws {
    let sources = try Project.sources(folder)
    #expect(sources.count > 10)
    for rule in rules {
      for source in sources where !rule.allowed.contains(source.path) {
        let code = source.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        for line in code {
          #expect(
            line.range(of: rule.pattern, options: .regularExpression) == nil, "\(rule.why): \(source.path): \(line)")
        }
      }
    }
  }

  @Test func thePackageHasNoDependencies() throws {
    #expect(!(try Project.text("Package.swift").contains(".package(")))
  }
}
