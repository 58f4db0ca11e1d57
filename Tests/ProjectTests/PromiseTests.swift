import Testing

/// Each promise has tests, and each test named after a promise tests one that exists.
///
/// A test is named after its promise: `a17_...` tests promise A17 of `Atoms`, `e5_...` tests promise E5 of
/// `ActorStoreEvents`, `h2_...` tests promise H2 of `ActorStoreHistory`, and `p3_...` tests promise P3 of `ActorStore`.
/// `bash .ci/promises` prints the test files of each promise.
@Suite struct PromiseTests {
  /// An article with promises.
  struct Article: Sendable, CustomTestStringConvertible {
    let path: String
    let letter: Character
    /// The required number of tests that are named after these promises.
    let minimum: Int

    var testDescription: String { path }

    /// The promises in the order of the article, each of which is one item of a list: `- **P1.** sentence`.
    func promises() throws -> [String] {
      try Project.text(path).matches(of: /(?m)^- \*\*([PAEH]\d+)\.\*\* \S/).map { String($0.1) }
    }

    /// The headings that begin with the number of a promise.
    func headings() throws -> [String] {
      try Project.text(path).matches(of: /(?m)^#+ [PAEH]\d.*$/).map { String($0.0) }
    }
  }

  static let articles = [
    Article(path: "Sources/ActorStore/ActorStore.docc/Promises.md", letter: "P", minimum: 290),
    Article(path: "Sources/Atoms/Atoms.docc/AtomPromises.md", letter: "A", minimum: 560),
    Article(path: "Sources/ActorStoreEvents/ActorStoreEvents.docc/EventPromises.md", letter: "E", minimum: 115),
    Article(path: "Sources/ActorStoreHistory/ActorStoreHistory.docc/HistoryPromises.md", letter: "H", minimum: 70),
  ]

  /// A test that is named after a promise.
  private struct NamedTest {
    let name: String
    let file: String

    var promise: String { name.prefix { $0 != "_" }.uppercased() }
  }

  private func namedTests() throws -> [NamedTest] {
    try Project.sources("Tests").flatMap { source in
      // Regular expressions are slow in a debug build.
      source.text.split(separator: "\n").filter { $0.contains("func ") }.compactMap { line in
        line.firstMatch(of: /\bfunc ([aehp]\d+_\w+)/).map { NamedTest(name: String($0.1), file: source.path) }
      }
    }
  }

  @Test(arguments: articles) func eachPromiseHasATest(_ article: Article) throws {
    let tested = Set(try namedTests().map(\.promise))
    for promise in try article.promises() where !tested.contains(promise) {
      Issue.record(
        "\(promise) of \(article.path) has no test. Name a test of it \(promise.lowercased())_..., or delete it.")
    }
  }

  @Test func eachNamedTestHasAPromise() throws {
    let promises = Set(try Self.articles.flatMap { try $0.promises() })
    for test in try namedTests() where !promises.contains(test.promise) {
      Issue.record(
        """
        \(test.name) in Tests/\(test.file) names \(test.promise), which no article promises. Rename the test, or add \
        the promise.
        """)
    }
  }

  @Test(arguments: articles) func numbersHaveNoHoles(_ article: Article) throws {
    let promises = try article.promises()
    let expected = (1...max(promises.count, 1)).map { "\(article.letter)\($0)" }
    #expect(
      promises == expected,
      """
      Number the promises in the list of \(article.path) in order, from 1, without holes, and use each number once. Write \
      each one as - **\(article.letter)1.** sentence
      """)
  }

  @Test(arguments: articles) func eachSectionHasAPromise(_ article: Article) throws {
    let headings = try article.headings()
    let expected = try article.promises().map { "### \($0)" }.filter { headings.contains($0) }
    #expect(
      headings == expected,
      """
      Give each promise in the list of \(article.path) at most one section, in the order of the list, with only its \
      number in the heading, such as ### \(article.letter)1
      """)
  }

  @Test(arguments: articles) func testsAreNotLost(_ article: Article) throws {
    let count = try namedTests().count { $0.promise.first == article.letter }
    #expect(
      count >= article.minimum,
      """
      Fewer tests than before are named after promises of \(article.path). Name tests after their promise, or lower \
      the minimum in PromiseTests and say why in the commit message.
      """)
  }
}
