import Foundation
import Testing

/// The examples in the README compile and run.
@Suite struct ReadmeTests {
  @Test func theQuickStartIsTheOneCompiledHere() throws {
    let readme = try Project.text("README.md")
    let code = try Project.text("Tests/ActorStoreTests/Project/QuickStart.swift")
    #expect(readme.contains("```swift\n\(code)```\n"))
  }

  @Test func theQuickStartRuns() async throws {
    try await quickStart()
  }

  @Test(arguments: ["MoreThanOneAction", "WatchingTheState", "FollowingTheState", "StatingWhatChanges"])
  func theExamplesAreThoseCompiledHere(_ name: String) throws {
    let code = try Project.text("Tests/ActorStoreTests/Project/\(name).swift")
    let withoutImports = code.components(separatedBy: "\n\n").dropFirst().joined(separator: "\n\n")
    #expect(try Project.text("README.md").contains("```swift\n\(withoutImports)```\n"))
  }

  @Test func theExamplesRun() async throws {
    try await moreThanOneAction()
    await watchingTheState()
    try await followingTheState()
    try await statingWhatChanges()
  }

  @Test func theAdviceForMainActorModulesIsTheOneCompiledThere() throws {
    let readme = try Project.text("README.md")
    let code = try Project.text("Tests/MainActorClientTests/MainActorClientTests.swift")
    let section = try #require(readme.components(separatedBy: "default isolation is the main actor\n").last)
    let snippet = try #require(section.components(separatedBy: "```swift\n").dropFirst().first)
    #expect(code.contains(try #require(snippet.components(separatedBy: "```").first)))
  }

  @Test func ciRunsTheReadmesTestCommand() throws {
    #expect(try Project.text("README.md").contains("\n```sh\nswift test\n```\n"))
    #expect(try Project.text(".ci/run").contains("\nswift test"))
  }
}
