import Foundation
import Testing

/// What must not be in the library.
@Suite struct HouseRulesTests {
  private struct Rule {
    let pattern: String
    let why: String
    var allowed: Set<String> = []
  }

  private static let rules = [
    Rule(pattern: #"import Foundation"#, why: "the library does not import Foundation"),
    Rule(
      pattern: #"\bTask(\.detached|\.immediate)?\s*(\([^)]*\)\s*)?\{"#,
      why: "unstructured tasks come from inheritingTask"),
    Rule(
      pattern: #"\bTask(\.detached)?\((executorPreference|priority|operation|name)"#,
      why: "unstructured tasks come from inheritingTask", allowed: ["Support/InheritingTask.swift"]),
    Rule(pattern: #"Task\.sleep"#, why: "clocks are injected"),
    Rule(
      pattern: #"\bunsafe\b"#, why: "unsafe code stands in few files",
      allowed: [
        "Support/InheritingTask.swift", "Support/Parked.swift", "Support/StandardError.swift", "Turns/StateCell.swift",
      ]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "so does unchecked code", allowed: ["Turns/StateCell.swift"]),
    Rule(pattern: #"\bMutex\b"#, why: "there is one lock type", allowed: ["Support/Locked.swift"]),
  ]

  @Test func hold() throws {
    let sources = try Project.sources("Sources/ActorStore")
    #expect(sources.count > 10)
    for rule in Self.rules {
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
