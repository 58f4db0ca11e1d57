import Foundation
import Testing

/// The Swift code in the README and the articles compiles.
@Suite struct DocumentTests {
  /// A document, and the files with its code.
  struct Document: Sendable, CustomTestStringConvertible {
    let path: String
    /// The files, relative to `Tests`.
    let code: [String]

    var testDescription: String { path }
  }

  private static let core = "Sources/ActorStore/ActorStore.docc"
  private static let testing = "Sources/ActorStoreTesting/ActorStoreTesting.docc"
  private static let events = "Sources/ActorStoreEvents/ActorStoreEvents.docc"
  private static let atoms = "Sources/Atoms/Atoms.docc"
  private static let readme = ["Store", "Atoms", "Race", "App", "Server", "Events", "Test"]

  static let documents = [
    Document(path: "README.md", code: readme.map { "ProjectTests/Readme/\($0)Sample.swift" }),
    Document(path: "docs/VectorsInAsyncFunctions.md", code: ["ProjectTests/Articles/Vectors.swift"]),
    article("ActorStore", in: core, code: ["Overview"]),
    article("GettingStarted", in: core, code: ["QuickStart", "MoreKindsOfActions", "WatchingTheState"]),
    article("ServingRequests", in: core, code: ["ServingRequests"]),
    Document(
      path: "\(core)/QuestionsAndAnswers.md", code: ["MainActorClientTests/MainActorClientTests.swift"]),
    article("ChoosingAnAction", in: core, code: ["ChoosingAnAction"]),
    article("Watching", in: core, code: ["Watching"]),
    article("Waiting", in: core, code: ["WaitingInsideAnAction"]),
    article("AroundAnAction", in: core, code: ["AroundAnAction"]),
    article(
      "LoggingAndMetrics", in: core,
      code: ["LoggingAndMetrics", "SwiftLogSink", "SystemLogSink", "MetricsReporter", "SpanReporter"]),
    article("Recipes", in: core, code: ["Recipes"]),
    article("Performance", in: core, code: ["KeepingAStateCheap"]),
    article("ComingFromTCA", in: core, code: ["ComingFromTCA"]),
    article("ComingFromAtlas", in: core, code: ["ComingFromAtlas"]),
    article("ActorStoreEvents", in: events, code: ["EventsOverview"]),
    article("ComingFromAtom", in: events, code: ["ComingFromAtom"]),
    article("DrivingAScreenByProps", in: events, code: ["PlayerScreen"]),
    article("NavigatingByState", in: events, code: ["Planner", "PlannerView", "PlannerTests"]),
    article(
      "ActorStoreEventsTesting", in: "Sources/ActorStoreEventsTesting/ActorStoreEventsTesting.docc",
      code: ["EventsOverview"]),
    article(
      "ActorStoreHistory", in: "Sources/ActorStoreHistory/ActorStoreHistory.docc", code: ["HistoryOverview"]),
    article(
      "TravelingThroughTime", in: "Sources/ActorStoreHistory/ActorStoreHistory.docc",
      code: ["Sketch", "SketchTests", "SketchView"]),
    article(
      "ActorStoreOptimistic", in: "Sources/ActorStoreOptimistic/ActorStoreOptimistic.docc",
      code: ["OptimisticOverview"]),
    article("ActorStoreTesting", in: testing, code: ["FirstSimulation"]),
    article("TestingYourStore", in: testing, code: ["TestingYourStore"]),
    article("FindingTheSchedule", in: testing, code: ["TicketShop", "MendedTicketShop", "WaitingCooks"]),
    article("Atoms", in: atoms, code: ["AtomsOverview"]),
    article("AtomsBesideAStore", in: atoms, code: ["AtomsBesideAStore"]),
    article("ChoosingAnAtom", in: atoms, code: ["ChoosingAnAtom"]),
    article("ComingFromJotai", in: atoms, code: ["ComingFromJotai"]),
    Document(
      path: "\(atoms)/ComingFromAtoms.md",
      code: OlderReadmeTests.examples.map { "ProjectTests/OlderAtoms/\($0.name)Example.swift" }),
    article("AtomsTesting", in: "Sources/AtomsTesting/AtomsTesting.docc", code: ["AtomsTestingOverview"]),
    article("HowAtomsWork", in: atoms, code: ["HowAtomsWork"]),
  ]

  private static func article(_ name: String, in folder: String, code: [String]) -> Document {
    Document(path: "\(folder)/\(name).md", code: code.map { "ProjectTests/Articles/\($0).swift" })
  }

  @Test(arguments: documents) func containsOnlyCodeThatCompiles(_ document: Document) throws {
    let code = try document.code.map { flush(try Project.text("Tests/\($0)")) }.joined(separator: "\n")
    let blocks = Self.swiftBlocks(try Project.text(document.path))
    #expect(!blocks.isEmpty, "\(document.path) has no Swift code. Remove it from DocumentTests.documents.")
    // A block can show declarations and their use, which are in different places of a file.
    for part in blocks.flatMap({ $0.components(separatedBy: "\n\n") }) where !isManifest(part) && !isImports(part) {
      #expect(
        code.contains(flush(part)),
        """
        This code of \(document.path) is in none of its files, so it may not compile: \(part)
        Put the same lines into one of them: \(document.code.map { "Tests/\($0)" }.joined(separator: ", ")).
        """)
    }
  }

  /// The list above contains every document with Swift code.
  @Test func everyDocumentIsListed() throws {
    var paths = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    for folder in ["Sources", "docs"] {
      paths += try Project.sources(folder, extensions: ["md"]).map { "\(folder)/\($0.path)" }
    }
    let withCode = try paths.filter { !Self.swiftBlocks(try Project.text($0)).isEmpty }
    #expect(
      Set(withCode) == Set(Self.documents.map(\.path)),
      "List each document with Swift code in DocumentTests.documents, with the test files that contain its code.")
  }

  /// A reader can paste the quick start into a file.
  @Test func theQuickStartIsComplete() throws {
    let code = try Project.text("Tests/ProjectTests/Articles/QuickStart.swift")
    #expect(
      try Project.text("\(Self.core)/GettingStarted.md").contains("```swift\n\(code)```\n"),
      """
      Make the quick start of GettingStarted.md the same as Tests/ProjectTests/Articles/QuickStart.swift, with its \
      imports.
      """)
  }

  @Test func theReadmeStaysShort() throws {
    let lines = try Project.text("README.md").count { $0.isNewline }
    #expect(lines <= 260, "The README has \(lines) lines. Move a part of it to an article, and link to the article.")
  }

  @Test func ciRunsTheReadmesTestCommand() throws {
    #expect(
      try Project.text("README.md").contains("\n```sh\nswift test\n```\n"),
      "Show the command `swift test` in a separate block in the README.")
    #expect(try Project.text(".ci/run").contains("\nswift test"), "Run the README's command `swift test` in .ci/run.")
  }

  /// Each link to a file or a heading in this project leads somewhere.
  @Test(arguments: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"]) func linksLeadSomewhere(path: String)
    throws
  {
    for source in try Project.sources(path, extensions: ["md"]) {
      let folder = source.path.hasSuffix(path) ? "" : "\(path)/"
      for match in source.text.matches(of: /\]\(([^)#:]*)(?:#([^)]+))?\)/) {
        let target = match.1.isEmpty ? folder + source.path : "\(folder)\(match.1)"
        let text = try? Project.text(target)
        #expect(text != nil || Project.isFolder(target), "\(source.path) links to \(match.1). Correct the path.")
        guard let text, let anchor = match.2 else { continue }
        let anchors = text.matches(of: /(?m)^#+ (.+)$/).map { anchorOfHeading(String($0.1)) }
        #expect(
          anchors.contains(String(anchor)),
          "\(source.path) links to \(match.1)#\(anchor). Use the anchor of a heading: \(anchors.joined(separator: ", "))"
        )
      }
    }
  }

  // MARK: Reading

  static func swiftBlocks(_ text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  /// Whether code is from a package manifest, which tests cannot compile.
  private func isManifest(_ code: String) -> Bool { code.contains(".package(") }

  private func isImports(_ code: String) -> Bool { code.split(separator: "\n").allSatisfy { $0.hasPrefix("import ") } }

  /// Removes indentation and empty lines, because a file can contain an example inside a function or a type.
  ///
  /// Also removes conditions, comments for tools, and `private`, which tests add if several documents use a name.
  private func flush(_ text: String) -> String {
    text.split(separator: "\n").map { String($0.trimmingCharacters(in: .whitespaces).trimmingPrefix("private ")) }
      .filter { !$0.contains(#/^#(if |else|endif)|^// swift-format-ignore/#) }.joined(separator: "\n")
  }

  /// The anchor that GitHub creates for a heading.
  private func anchorOfHeading(_ heading: String) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      .replacing(" ", with: "-")
  }
}
