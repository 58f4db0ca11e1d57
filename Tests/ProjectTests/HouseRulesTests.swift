import Foundation
import Testing

/// Patterns that the library must not contain.
@Suite struct HouseRulesTests {
  private struct Rule {
    let pattern: String
    let why: String
    let fix: String
    var allowed: Set<String> = []

    func message(_ source: Project.Source, in folder: String, _ line: Substring) -> String {
      """
      \(folder)/\(source.path): \(line)
      Rule: \(why). \(fix)
      If the file must be an exception, add it to the rule in HouseRulesTests, and say why in the commit message.
      """
    }
  }

  private static let safety =
    "Write it without unsafe code, or in a file that already has some. State the invariant in a comment."
  private static let start = "Call inheritingTask, or TurnQueue.startTask if the task waits for a turn."
  private static let time = "Take a parameter of type any Clock<Duration>, and call its sleep method."
  private static let publicAPI =
    "Use only public declarations and safe code. Start tasks with Task.inheritingExecutor, and inject clocks."

  private static let common = [
    Rule(
      pattern: #"import\s+(\w+\s+)?Foundation"#, why: "the libraries do not import Foundation",
      fix: "Use the standard library, or take the value or the closure as a parameter."),
    Rule(
      pattern: #"\bMutex\b"#, why: "there is one lock type", fix: "Use Locked.",
      // The library of events uses only the public API of the store.
      allowed: ["Runtime/Locked.swift", "Facade/Defaults.swift", "Routing/Router.swift"]),
  ]

  private static let library = [
    Rule(
      pattern: #"\bTask(\.detached|\.immediate)?\s*(\([^)]*\)\s*)?\{"#,
      why: "unstructured tasks come from inheritingTask", fix: start),
    Rule(
      pattern: #"(\bTask|\.detached|\.immediate)\((executorPreference|priority|operation|name)"#,
      why: "unstructured tasks come from inheritingTask", fix: start,
      allowed: ["Runtime/InheritingTask.swift", "Runtime/Task+InheritingExecutor.swift"]),
    Rule(
      pattern: #"\bunstarted_task_|UnstartedTask\.create"#, why: "few files start unstarted tasks",
      fix: "Call TurnQueue.startTask.",
      allowed: ["Runtime/RuntimeEntries.swift", "Runtime/InheritingTask.swift", "Turns/TurnQueue+Wait.swift"]),
    Rule(
      pattern: #"\bcancellation_listener_|\bunstarted_task_|swift_task_"#,
      why: "one file knows the runtime", fix: "Add a function to RuntimeEntries.swift.",
      allowed: ["Runtime/RuntimeEntries.swift"]),
    Rule(pattern: #"Task\.sleep"#, why: "clocks are injected", fix: time),
    Rule(
      pattern: #"\bunsafe\b"#, why: "few files contain unsafe code", fix: safety,
      allowed: [
        "Dump/Equality.swift", "Runtime/RuntimeEntries.swift",
        "Runtime/InheritingTask.swift", "Runtime/Locked.swift", "Runtime/Nesting.swift", "Runtime/Parked.swift",
        "Runtime/SameBits.swift", "Runtime/StandardError.swift",
        "Runtime/TextAddress.swift",
        "Turns/CancellationListener.swift", "Subscriptions/Published.swift", "Selections/JoinedKeyPath.swift",
        "Store/Store.swift", "Simulation/SimulationHooks.swift",
      ]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "few files contain unchecked code", fix: safety,
      allowed: [
        "Dump/Equality.swift", "Subscriptions/Published.swift", "Observation/Observer.swift", "Store/Store.swift",
        "Runtime/RuntimeEntries.swift", "Runtime/Locked.swift",
      ]),
    Rule(
      pattern: #"observer\?\.record"#, why: "a queue records its events in one place", fix: "Call TurnQueue.record.",
      allowed: ["Turns/TurnQueue+Simulation.swift"]),
  ]

  private static let testing = [
    Rule(
      pattern: #"\bTask(\.detached)?\s*(\([^)]*\)\s*)?\{"#, why: "tasks of a simulation stay inside it",
      fix: "Use a task group, or Task.inheritingExecutor.",
      // The root of a simulation, a probe that escapes on purpose to test the detection, and the message of an escape.
      allowed: ["Runtime/SimulatedExecutor.swift", "Runtime/EscapeProbe.swift", "Simulation/Escape.swift"]),
    Rule(
      pattern: #"Task\.sleep"#, why: "time is virtual", fix: time,
      allowed: ["Runtime/EscapeProbe.swift", "Simulation/Escape.swift"]),
    Rule(
      pattern: #"\bunsafe\b"#, why: "few files contain unsafe code", fix: safety,
      allowed: [
        "Runtime/SwiftRuntime.swift", "Runtime/SimulatedExecutor.swift", "Runtime/CurrentThread.swift",
        "Runtime/SwiftRuntime+Suspended.swift", "Runtime/LineTable+File.swift", "Runtime/OpenFile.swift",
      ]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "few files contain unchecked code", fix: safety,
      allowed: [
        "Runtime/SwiftRuntime.swift", "Runtime/SimulatedExecutor.swift", "Runtime/SimulatedExecutor+Time.swift",
        "Runtime/CurrentThread.swift", "Runtime/Recording.swift",
      ]),
    Rule(
      pattern: #"dlsym|@_spi|@_silgen_name"#, why: "only SwiftRuntime knows the runtime",
      fix: "Add a function to SwiftRuntime.",
      allowed: [
        "Runtime/SwiftRuntime.swift", "Runtime/SwiftRuntime+Backtrace.swift", "Runtime/SwiftRuntime+Suspended.swift",
      ]),
  ]

  private static let atoms = [
    Rule(
      pattern: #"\bTask\b"#, why: "few files start tasks",
      fix: "Use CancelableTask, or Task.inheritingExecutor in one of the listed files.",
      allowed: [
        "Engine/Graph+Deliver.swift", "Engine/Countdown.swift", "Engine/CancelableTask.swift",
        "Async/AnyRun+Result.swift", "Async/Run.swift", "Async/RunCell+Waiting.swift", "Engine/ObjectFollower.swift",
      ]),
    Rule(
      pattern: #"\bunsafe\b"#, why: "few files contain unsafe code", fix: safety,
      allowed: [
        "Runtime/Equality.swift", "Runtime/NodeTable.swift", "Runtime/ReleaseQueue.swift", "Runtime/SourceFile.swift",
        "Runtime/Unretained.swift", "Runtime/ValueSlot.swift", "Graph/SegmentedArray.swift", "Engine/Cell.swift",
        "Engine/CurrentThread.swift", "Engine/TypedCell.swift", "Wrappers/CaptureAtom+Combine.swift",
      ]),
    Rule(
      pattern: #"@unchecked|nonisolated\(unsafe\)"#, why: "few files contain unchecked code", fix: safety,
      allowed: [
        "Runtime/NodeTable.swift", "Runtime/SourceFile.swift", "Runtime/ValueSlot.swift", "Graph/SegmentedArray.swift",
        "Engine/AnyAtomDefinition.swift", "Engine/AnyRun.swift", "Engine/AtomDefinition.swift", "Engine/Cell.swift",
        "Engine/Delivery.swift", "Engine/Evaluation.swift", "Engine/GraphHandle.swift",
        "Engine/TaskSelection.swift", "Engine/TypedCell.swift", "Engine/Watch.swift",
        "Async/PacedDefinition.swift", "Async/Run.swift", "Async/RunCell.swift", "Async/RunDefinition.swift",
        "Bridging/AtomReader.swift", "Bridging/SelectedDefinition.swift", "Bridging/SelectionDefinition.swift",
        "Types/GetSetDefinition.swift",
        "Types/HiddenDefinition.swift", "Types/WillSetDefinition.swift", "Wrappers/CaptureAtom+Combine.swift",
      ]),
  ]

  private static let events = [
    Rule(
      pattern: #"\bunsafe\b|@unchecked|nonisolated\(unsafe\)|\bpackage\b|Task(\.detached)?\s*\{|Task\.sleep"#,
      why: "the library of events uses only the public API of the store", fix: publicAPI),
    Rule(
      pattern: #"\bTask\b"#, why: "few files start tasks",
      fix: "Use Pacer or a stream of values, or Task.inheritingExecutor in one of the listed files.",
      allowed: [
        "Components/Pacer.swift", "Components/PacedSelection.swift", "Components/PacedValues.swift",
        "Components/Selected+Strategy.swift",
      ]),
  ]

  private static let optimistic = [
    Rule(
      pattern: #"\bunsafe\b|@unchecked|nonisolated\(unsafe\)|\bpackage\b|\bTask\b"#,
      why: "optimistic updates use only the public API of the store, and start no tasks", fix: publicAPI)
  ]

  private static let history = [
    Rule(
      pattern: #"\bunsafe\b|@unchecked|nonisolated\(unsafe\)|\bpackage\b"#,
      why: "the time machine uses only the public API of the store", fix: publicAPI),
    Rule(
      pattern: #"\bTask\b"#, why: "few files know tasks", fix: "Make the function async. Its caller can start a task.",
      allowed: ["Exporting/ProgressMeter.swift"]),
  ]

  private static let random = [
    Rule(
      pattern: #"\bTask\b|\bunsafe\b|@unchecked|nonisolated\(unsafe\)"#,
      why: "a random number generator is a value", fix: "Keep it a struct with safe code.")
  ]

  private static let c = [
    Rule(
      pattern: #"#include <(?!(stdbool|stdint|pthread|sched)\.h>)"#, why: "the C code needs only integers and threads",
      fix: "Declare what you need, or do it in Swift."),
    Rule(
      pattern: #"\b(malloc|calloc|realloc|free)\("#, why: "the C code allocates nothing", fix: "Allocate in Swift."),
  ]

  private static let otherC = [
    Rule(pattern: #"\bswift_\w+\("#, why: "one module knows the runtime", fix: "Add the function to CurrentTask.")
  ]

  /// The rules of each target that users link.
  private static let targets = [
    "ActorStore": common + library,
    "ActorStoreTesting": common + testing,
    "ActorStoreEvents": common + events,
    "ActorStoreEventsTesting": common + events,
    "ActorStoreHistory": history,
    "ActorStoreOptimistic": common + optimistic,
    "Atoms": common + atoms,
    "AtomsTesting": common + testing,
    "SeededRandom": common + random,
    "AtomThread": c + otherC,
    "CurrentTask": c,
  ]

  @Test(arguments: targets.keys.sorted()) func hold(in target: String) throws {
    try expect(Self.targets[target] ?? [], in: "Sources/\(target)")
  }

  /// The targets above are those of the manifest's libraries, and all targets that they depend on.
  @Test func everyLinkedTargetHasRules() throws {
    let manifest = try Project.text("Package.swift")
    var dependencies: [Substring: [Substring]] = [:]
    for target in manifest.matches(of: /(?s)\.target\(\s*name: "(\w+)"(?:,\s*dependencies: \[(.*?)\])?/) {
      // A dependency can look like a target, but follows the target.
      if dependencies[target.1] != nil { continue }
      dependencies[target.1] = (target.2 ?? "").matches(of: /"(\w+)"/).map(\.1)
    }
    var linked: Set<Substring> = []
    var new = manifest.matches(of: /\.library\(name: "\w+", targets: \[(.*?)\]/).flatMap { product in
      product.1.matches(of: /"(\w+)"/).map(\.1)
    }
    #expect(new.count >= 4)
    while let target = new.popLast() {
      guard linked.insert(target).inserted else { continue }
      new += try #require(dependencies[target], "Package.swift has no target \(target)")
    }
    #expect(
      linked == Set(Self.targets.keys.map { $0[...] }),
      "Give each target that a library links its rules in HouseRulesTests.targets, and remove other targets there.")
  }

  private func expect(_ rules: [Rule], in folder: String) throws {
    let sources = try Project.sources(folder, extensions: ["swift", "h", "c"])
    #expect(sources.map(\.path) != [folder], "\(folder) has no code")
    for rule in rules {
      for source in sources where !rule.allowed.contains(source.path) {
        for line in source.code {
          let found = line.range(of: rule.pattern, options: .regularExpression)
          #expect(found == nil, "\(rule.message(source, in: folder, line))")
        }
      }
    }
  }

  /// A bare closure would be released with recursion, and so would the atoms that it holds (A12).
  @Test func definitionsHoldTheirClosuresForTheReleaseQueue() throws {
    var count = 0
    for source in try Project.sources("Sources/Atoms")
    where source.path.hasSuffix("Definition.swift") || source.path.hasSuffix("AtomFamily.swift") {
      for line in source.text.split(separator: "\n") where line.contains("->") || line.contains(": Held<") {
        // Computed properties end with a brace. Members of nested types are indented further.
        guard line.contains(/^  ((private|fileprivate|final) )*(let|var) \w+: .*[^{}]$/) else { continue }
        count += 1
        #expect(
          line.contains(": Held<"),
          "Sources/Atoms/\(source.path): \(line)\nWrap the closure in Held, whose release does not recurse.")
      }
    }
    #expect(count >= 5)
  }

  /// A failed `precondition` prints nothing in a release build, so a client must not be able to reach one.
  @Test(arguments: targets.keys.filter { !$0.hasSuffix("Task") && !$0.hasSuffix("Thread") }.sorted())
  func preconditionsAreForBugsOnly(in target: String) throws {
    for source in try Project.sources("Sources/\(target)") {
      for call in source.text.matches(of: /\bprecondition(Failure)?\(/) {
        let text = source.text[call.range.upperBound...].prefix(400)
        // A call without a message states an invariant, as in `precondition(!isReadable)`.
        guard let quote = text.firstIndex(of: "\""), !text[..<quote].contains("\n\n") else { continue }
        #expect(
          text.contains("This is a bug in "),
          """
          Sources/\(target)/\(source.path): \(text.prefix(120))
          If a client can reach the call, write `if` and `fatalError`. If not, end the message with "This is a bug in \
          \(target)."
          """)
      }
    }
  }

  /// With another clock, a watchdog would report each turn during which the machine slept.
  @Test func theClockOfAWatchdogStopsWhileTheMachineSleeps() throws {
    let text = try Project.text("Sources/ActorStore/Watchdog/TurnWatchdog.swift")
    #expect(text.contains("clock: any Clock<Duration> = SuspendingClock()"))
  }

  @Test func thePackageHasNoDependencies() throws {
    #expect(
      !(try Project.text("Package.swift").contains(".package(")),
      "Remove the dependency from Package.swift. Put an integration into a separate package, such as Examples.")
  }

  /// Each attribute for the optimizer cites a rule of `docs/HotPath.md`, and the document has no other rules.
  @Test func optimizerAttributesCiteTheirRule() throws {
    let document = try Project.text("docs/HotPath.md")
    let explained = Set(document.matches(of: /### (HP\d+):/).map { String($0.1) })
    #expect(explained.count > 5)
    var cited: Set<String> = []
    for folder in ["Sources/ActorStore", "Sources/CurrentTask", "Sources/Atoms"] {
      for source in try Project.sources(folder, extensions: ["swift", "h"]) {
        // Regular expressions are slow in a debug build.
        for line in source.text.split(separator: "\n") where line.contains("HP") || line.contains("@") {
          cited.formUnion(line.matches(of: /\bHP\d+\b/).map { String($0.0) })
          let isForTheOptimizer = line.contains(/^\s*@(inline\(|_semantics\(|_optimize|_specialize)/)
          #expect(
            !isForTheOptimizer || line.contains(/\/\/ HP\d+$/),
            """
            \(folder)/\(source.path): \(line)
            End the line with the rule of docs/HotPath.md that explains the attribute, such as "// HP2".
            """)
        }
      }
    }
    #expect(
      cited == explained,
      "Explain each cited rule in docs/HotPath.md under a heading such as \"### HP2: ...\", and remove unused rules.")
  }

  /// Words and names that the project no longer uses.
  @Test(arguments: ["Sources", "Tests", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
  func oldWordsDoNotComeBack(path: String) throws {
    let words = [
      (#"\bhand(s|ed|ing)?( it| the turn| its turn| them)? on\b"#, "hand off"),
      (#"\bbelow (a|an|the|nothing|itself|another)\b"#, "nested in"),
      (#"in a circle|a circle of"#, "a deadlock or a cycle"),
      (
        #"\bTurnLine\b|\bTurnChain\b|\bHeldTask\b|\bEarlyWaking\b|\bNewestKeepers\b"#,
        "the new name of the type: see docs/Architecture.md"
      ),
    ]
    for source in try Project.sources(path, extensions: ["swift", "md", "h", "c"])
    where source.path != "ProjectTests/HouseRulesTests.swift" {
      for (word, replacement) in words {
        let found = source.text.range(of: word, options: [.regularExpression, .caseInsensitive])
        #expect(found == nil, "\(source.path): \(found.map { source.text[$0] } ?? ""). Write \(replacement).")
      }
    }
  }
}
