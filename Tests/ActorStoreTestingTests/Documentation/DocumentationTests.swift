import ActorStoreTesting
import Foundation
import Testing

/// The article "Finding the schedule that breaks it" shows what compiles, and what is reported.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private var article: String {
    get throws { try text("Sources/ActorStoreTesting/ActorStoreTesting.docc/FindingTheSchedule.md") }
  }

  @Test(arguments: ["TicketShop", "MendedTicketShop"]) func theCodeIsTheOneCompiledHere(_ file: String) throws {
    let code = try text("Tests/ActorStoreTestingTests/Documentation/\(file).swift")
    #expect(try article.contains("```swift\n\(code)```\n"))
  }

  @Test(arguments: ["README.md", "Sources/ActorStoreTesting/ActorStoreTesting.docc/ActorStoreTesting.md"])
  func theFirstExampleIsTheOneCompiledHere(_ page: String) throws {
    let code = try text("Tests/ActorStoreTestingTests/Documentation/FirstSimulation.swift")
    #expect(try text(page).contains("```swift\n\(code)```\n"))
  }

  /// Each of its blocks, wherever it stands in the code.
  @Test func theExamplesOfTestingYourStoreAreThoseCompiledHere() throws {
    func flush(_ text: String) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
    let article = try text("Sources/ActorStoreTesting/ActorStoreTesting.docc/TestingYourStore.md")
    let code = flush(try text("Tests/ActorStoreTestingTests/Documentation/TestingYourStore.swift"))
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count == 8)
    for block in blocks { #expect(code.contains(flush(block)), "not compiled: \(block)") }
  }

  @Test func theReportIsTheOneMade() throws {
    let failure = try #require(throws: Simulation.Failure.self) { try nothingIsSoldTwice() }
    let shown = try #require(try article.components(separatedBy: "```\n").first { $0.hasPrefix("The body threw") })
    func withoutToolchain(_ report: String) -> [Substring] {
      report.split(separator: "\n").filter { !$0.hasPrefix("  built with") }
    }
    #expect(withoutToolchain(shown) == withoutToolchain(failure.description))
  }

  @Test func theMendedShopIsRight() throws {
    let result = try nothingIsSoldTwiceAnyMore()
    #expect(try article.contains("It returns `\(result)`"))
  }
}
