import Testing

/// The tables in `CONTRIBUTING.md` name the tests of each promise.
///
/// A test is named after its promise: `a17_...` tests promise A17 of `Atoms`, `e5_...` tests promise E5 of
/// `ActorStoreEvents`, `h2_...` tests promise H2 of `ActorStoreHistory`, and `p3_...` tests promise P3 of `ActorStore`.
@Suite struct PromiseTableTests {
  /// One row of a table.
  private struct Row {
    let title: String
    /// The promises in the title, such as `A6`, `A7`, and `A8` for "A6 to A8 deriving".
    let promises: Set<String>
    /// The files in the row without their extension, relative to `Tests`.
    let files: Set<String>
  }

  private func rows() throws -> [Row] {
    let section = try #require(
      try Project.text("CONTRIBUTING.md").firstMatch(
        of: #/(?s)\n## The promises and where each is tested\n(.*?)\n## /#)
    ).1
    let parts = try #require(
      section.firstMatch(
        of: #/(?s)^(.*?)\n(The promises of atoms.*?)\n(The promises of events.*?)\n(The promises of the history.*)$/#))
    return rows(String(parts.1), in: "ActorStoreTests") + rows(String(parts.2), in: "AtomsTests")
      + rows(String(parts.3), in: "ActorStoreEventsTests") + rows(String(parts.4), in: "ActorStoreHistoryTests")
  }

  private func rows(_ text: String, in folder: String) -> [Row] {
    text.matches(of: /(?m)^\| (.+) \| (.+) \|$/).filter { $0.1 != "promise" && $0.1 != "---" }.map { row in
      var promises: Set<String> = []
      for match in row.1.matches(of: /\b([AEHP])(\d+)(?: to [AEHP](\d+))?/) {
        guard let first = Int(match.2), let last = Int(match.3 ?? match.2) else { continue }
        promises.formUnion((first...last).map { "\(match.1)\($0)" })
      }
      let files = row.2.matches(of: /`(\.\.\/)?([A-Z]\w*(?:\/\w+)*)`/).map { match in
        match.1 == nil ? "\(folder)/\(match.2)" : String(match.2)
      }
      return Row(title: String(row.1), promises: promises, files: Set(files))
    }
  }

  /// The files with tests, by their path in `Tests` without the extension.
  private func testFiles() throws -> [String: String] {
    let sources = try Project.sources("Tests").filter { $0.text.contains("@Test") }
    return Dictionary(uniqueKeysWithValues: sources.map { (String($0.path.dropLast(".swift".count)), $0.text) })
  }

  @Test func eachFileInATableExists() throws {
    let (rows, tests) = (try rows(), try testFiles())
    #expect(rows.count > 35)
    for row in rows {
      for file in row.files where tests[file] == nil && !Project.isFolder("Tests/\(file)") {
        Issue.record("the row \"\(row.title)\" of CONTRIBUTING.md names Tests/\(file).swift, which has no tests")
      }
    }
  }

  @Test func eachTestOfAPromiseIsInItsRow() throws {
    let (rows, tests) = (try rows(), try testFiles())
    var count = 0
    for (file, text) in tests {
      for match in text.matches(of: /func (([aehp])(\d+)_\w+)/) {
        count += 1
        let promise = match.2.uppercased() + match.3
        let own = rows.filter { $0.promises.contains(promise) }
        if own.isEmpty { Issue.record("CONTRIBUTING.md has no row for \(promise), which \(match.1) in \(file) tests") }
        for row in own where !row.files.contains(file) {
          Issue.record(
            "\(match.1) tests \(promise), so the row \"\(row.title)\" of CONTRIBUTING.md must name Tests/\(file)")
        }
      }
    }
    #expect(count > 400)
  }

  @Test(arguments: ["AtomsTests", "AtomsTestingTests", "ActorStoreEventsTests", "ActorStoreHistoryTests"])
  func eachTestFileIsInARow(_ folder: String) throws {
    let named = try rows().reduce(into: Set<String>()) { $0.formUnion($1.files) }
    let files = try testFiles().keys.filter { $0.hasPrefix("\(folder)/") }
    #expect(files.count > 1)
    for file in files.sorted() where !named.contains(file) {
      Issue.record("no row of CONTRIBUTING.md names Tests/\(file)")
    }
  }

  @Test(arguments: [
    ("Sources/ActorStore/ActorStore.docc/Promises.md", "P"), ("Sources/Atoms/Atoms.docc/AtomPromises.md", "A"),
    ("Sources/ActorStoreEvents/ActorStoreEvents.docc/EventPromises.md", "E"),
    ("Sources/ActorStoreHistory/ActorStoreHistory.docc/HistoryPromises.md", "H"),
  ]) func eachPromiseHasOneRow(article: String, letter: String) throws {
    let promises = try Project.text(article).matches(of: /(?m)^### ([AEHP]\d+)$/).map { String($0.1) }
    #expect(promises.count > 6)
    let listed = try rows().flatMap(\.promises).filter { $0.hasPrefix(letter) }
    for promise in promises {
      let count = listed.count { $0 == promise }
      #expect(count == 1, "CONTRIBUTING.md has \(count) rows for \(promise) of \(article)")
    }
    let unknown = Set(listed).subtracting(promises)
    #expect(unknown.isEmpty, "\(article) has no promises \(unknown.sorted())")
  }
}
