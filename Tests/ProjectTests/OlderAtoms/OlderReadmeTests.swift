import Testing

/// The examples are those of the README of the older Atoms, line by line.
@Suite struct OlderReadmeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    /// The text in the README.
    let older: String
    /// The lines of the README that do not compile as they are.
    var replaced: [String] = []
    /// The lines that replace them.
    var replacements: [String] = []

    var testDescription: String { name }
  }

  static let examples = [
    Example(name: "Text", older: OlderReadme.text),
    Example(
      name: "Dogs", older: OlderReadme.dogs,
      replaced: ["let apiAtom = Atom(...)"],
      replacements: ["let apiAtom = Atom(API(searchDogs: { _ in [] }))"]),
    Example(name: "DogsTest", older: OlderReadme.dogsTest, replacements: ["@Test"]),
    Example(name: "TodosTest", older: OlderReadme.todosTest, replacements: ["@Test"]),
    Example(name: "Namespace", older: OlderReadme.namespace),
    Example(
      name: "ViewController", older: OlderReadme.viewController,
      replaced: ["cancellable = searchTextPublisher"],
      replacements: [
        "var cancellable: Task<Void, Never>?",
        "deinit { cancellable?.cancel() }",
        "cancellable = _searchTextPublisher.publisher",
        "cancellable = Task { [weak self, searchTextPublisher] in",
        "for await text in searchTextPublisher {",
        "self?.label.text = text", "}", "}",
      ]),
    Example(name: "ExplicitType", older: OlderReadme.explicitType),
    Example(name: "Bindings", older: OlderReadme.bindings),
    Example(
      name: "NewAtoms", older: OlderReadme.newAtoms,
      replacements: ["@CaptureAtom(personsAtom) var persons"]),
  ]

  @Test(arguments: examples) func eachExampleIsVerbatim(_ example: Example) throws {
    let older = lines(of: example.older)
    let all = lines(of: try Project.text("Tests/ProjectTests/OlderAtoms/\(example.name)Example.swift"))
    // Imports come before the example, and tests follow it.
    let start = try #require(all.firstIndex { $0 == older[0] || $0 == example.replacements.first })
    let end = try #require(all[start...].lastIndex { $0 == older[older.count - 1] && !$0.isEmpty })
    var here = Array(all[start...end])
    if let tests = here.firstIndex(where: { $0.hasPrefix("#if !canImport(SwiftUI)") }) { here.removeSubrange(tests...) }
    var (removed, added): ([String], [String]) = ([], [])
    for change in here.difference(from: older) {
      switch change {
      case .remove(_, let line, _): removed.append(line)
      case .insert(_, let line, _): if !line.hasPrefix("//") && !line.hasPrefix("#") { added.append(line) }
      }
    }
    #expect(removed.sorted() == example.replaced.sorted(), "lines of the README that \(example.name) lacks")
    #expect(added.sorted() == example.replacements.sorted(), "lines in \(example.name) that are not in the README")
  }

  /// The article for users of the older Atoms shows each line that differs, next to its replacement.
  @Test(arguments: examples) func theArticleShowsEachDeviation(_ example: Example) throws {
    let article = try Project.text("Sources/Atoms/Atoms.docc/ComingFromAtoms.md")
    let shown = lines(of: article).map { $0.replacing("`", with: "") }
    for line in example.replaced + example.replacements {
      #expect(shown.contains { $0.contains(line) }, "the article does not show: \(line)")
    }
  }

  /// The lines without indentation, and without `private`, which two examples need because they declare equal names.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { String($0.trimmingPrefix { $0 == " " }.trimmingPrefix("private ")) }
  }
}
