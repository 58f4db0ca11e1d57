import Foundation
import Testing

/// The examples in the articles compile and run.
@Suite struct ArticleTests {
  @Test func whoComesFromAtlasCanTypeItsExamples() async throws {
    #expect(try examples(of: "ComingFromAtlas", standIn: "ComingFromAtlas") > 5)
    #expect(try await comingFromAtlas() == [14, 1])
  }

  @Test func whoWantsSpeedCanTypeItsExamples() async throws {
    #expect(try examples(of: "Performance", standIn: "KeepingAStateCheap") > 0)
    #expect(try await keepingAStateCheap() == ["first", "second", "no more"])
  }

  /// Checks that a file of these tests contains each example of an article, and returns the number of examples.
  private func examples(of article: String, standIn file: String) throws -> Int {
    let article = try Project.text("Sources/ActorStore/ActorStore.docc/\(article).md")
    let code = flush(try Project.text("Tests/ActorStoreTests/Project/\(file).swift"))
    let examples = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    for example in examples {
      // A block may show both declarations and their use, which are in different places of the file.
      for part in example.components(separatedBy: "\n\n") {
        #expect(code.contains(flush(part)), "not compiled: \(part)")
      }
    }
    return examples.count
  }

  /// Removes indentation and empty lines, so that the file may contain an example inside a function.
  private func flush(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
