import Foundation
import Testing

/// What the articles show is what compiles.
@Suite struct ArticleTests {
  @Test func whoComesFromAtlasCanTypeItsExamples() async throws {
    #expect(try examples(of: "ComingFromAtlas", standIn: "ComingFromAtlas") > 5)
    #expect(try await comingFromAtlas() == [14, 1])
  }

  @Test func whoWantsSpeedCanTypeItsExamples() async throws {
    #expect(try examples(of: "Performance", standIn: "KeepingAStateCheap") > 0)
    #expect(try await keepingAStateCheap() == ["first", "second", "no more"])
  }

  /// How many examples an article has, each of which has to stand in a file of these tests.
  private func examples(of article: String, standIn file: String) throws -> Int {
    let article = try Project.text("Sources/ActorStore/ActorStore.docc/\(article).md")
    let code = flush(try Project.text("Tests/ActorStoreTests/Project/\(file).swift"))
    let examples = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    for example in examples {
      // One block may show declarations and what is done with them.
      for part in example.components(separatedBy: "\n\n") {
        #expect(code.contains(flush(part)), "not compiled: \(part)")
      }
    }
    return examples.count
  }

  /// Without indentation and empty lines, so that an example may stand inside a function.
  private func flush(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
