import Foundation
import Testing

/// What the articles show is what compiles.
@Suite struct ArticleTests {
  @Test func whoComesFromAtlasCanTypeItsExamples() async throws {
    let article = try Project.text("Sources/ActorStore/ActorStore.docc/ComingFromAtlas.md")
    let code = flush(try Project.text("Tests/ActorStoreTests/Project/ComingFromAtlas.swift"))
    let examples = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count > 5)
    for example in examples {
      // One block may show declarations and what is done with them.
      for part in example.components(separatedBy: "\n\n") {
        #expect(code.contains(flush(part)), "not compiled: \(part)")
      }
    }
    #expect(try await comingFromAtlas() == [14, 1])
  }

  /// Without indentation and empty lines, so that an example may stand inside a function.
  private func flush(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
