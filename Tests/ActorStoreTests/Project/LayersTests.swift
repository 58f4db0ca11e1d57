import Foundation
import Testing

/// The folders of the library are layers.
///
/// Code uses only types of its own layer and of those before it.
///
/// The test finds types by name. It does not see calls of members that a later layer adds in an extension.
@Suite struct LayersTests {
  /// The folders, in the order in which `CONTRIBUTING.md` lists them.
  private static let layers = [
    "Collections", "Runtime", "Dump", "Simulation", "Turns", "Deadlock", "Subscriptions", "Observation", "Actions",
    "Guards", "Outcomes", "Store", "Execution", "Calls",
  ]

  private static func layer(of path: String) -> Int? {
    path.split(separator: "/").first.flatMap { layers.firstIndex(of: String($0)) }
  }

  @Test func everyFolderIsALayer() throws {
    for source in try Project.sources("Sources/ActorStore") {
      #expect(Self.layer(of: source.path) != nil, "\(source.path) is in no layer")
    }
  }

  @Test func dependOnlyOnEarlierOnes() throws {
    let sources = try Project.sources("Sources/ActorStore")
    var layers: [Substring: Int] = [:]
    for source in sources {
      for line in source.code {
        let declaration = /^(?! |private|fileprivate|extension)(?:[^{]*?\s)?(?:class|struct|enum|actor|protocol) (\w+)/
        if let match = line.firstMatch(of: declaration) { layers[match.1] = Self.layer(of: source.path) }
      }
    }
    #expect(layers.count > 60)
    for source in sources {
      let own = try #require(Self.layer(of: source.path))
      for line in source.code {
        let code = line.replacing(/"(?:\\.|[^"\\])*"/, with: "").replacing(/\/\/.*/, with: "")
        for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
          if let other = layers[word], other > own {
            Issue.record("\(source.path) (\(Self.layers[own])) uses \(word) (\(Self.layers[other])): \(line)")
          }
        }
      }
    }
  }

  @Test func theGuideListsThemInOrder() throws {
    let guide = try Project.text("CONTRIBUTING.md")
    let listed = guide.matches(of: /(?m)^\| (?:\d+ \| )?`(\w+)` \|/).map { String($0.1) }
    #expect(listed.starts(with: Self.layers))
  }
}
