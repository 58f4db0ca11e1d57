import Foundation
import Testing

/// The folders of a module are layers.
///
/// Code uses only types of its own layer and of the layers before it. The test finds types by name. It does not notice
/// calls of members that a later layer adds in an extension.
@Suite struct LayersTests {
  struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    /// The folders, in the order in which `docs/Architecture.md` lists them.
    let layers: [String]

    var testDescription: String { name }

    func name(of layer: Int) -> String { layer < layers.count ? layers[layer] : "outside the folders" }

    /// The index of a file's layer.
    ///
    /// Files outside the folders come last.
    func layer(of path: String) -> Int {
      path.split(separator: "/").first.flatMap { layers.firstIndex(of: String($0)) } ?? layers.count
    }
  }

  static let modules = [
    Module(
      name: "ActorStore",
      layers: [
        "Collections", "Runtime", "Dump", "Simulation", "Turns", "Deadlock", "Subscriptions", "Selections",
        "Observation", "Actions", "Middleware", "Guards", "Logging", "Metrics", "Outcomes", "Store", "Watchdog",
        "Execution", "Calls",
      ]),
    Module(
      name: "ActorStoreTesting",
      layers: [
        "Interleavings", "History", "Schedules", "Simulation", "Runtime", "Report", "Exploring", "Issues",
        "Expectations", "TestStore",
      ]),
    Module(
      name: "Atoms",
      layers: [
        "Graph", "Runtime", "Engine", "Store", "Types", "Watching", "Async", "Inspecting", "Injecting", "Bridging",
        "Wrappers",
      ]),
    Module(
      name: "ActorStoreEvents",
      layers: ["Collections", "Paths", "Events", "Forwarding", "Streams", "Facade", "Components", "Links", "Routing"]),
    Module(name: "ActorStoreHistory", layers: ["Timeline", "Exporting", "Replaying", "History"]),
    Module(name: "AtomsTesting", layers: ["Expectations", "TestStore"]),
    Module(
      name: "StoreLoadTest",
      layers: ["Subjects", "Measuring", "CommandLine", "Output", "Running", "Scenarios"]),
  ]

  /// The list above contains every module with folders.
  @Test func everyModuleIsListed() throws {
    let folders = try Project.sources("Sources").compactMap { source in
      let parts = source.path.split(separator: "/")
      return parts.count > 2 ? String(parts[0]) : nil
    }
    #expect(
      Set(folders) == Set(Self.modules.map(\.name)), "List each module that has folders in LayersTests.modules.")
  }

  @Test(arguments: modules) func everyFolderIsALayer(_ module: Module) throws {
    let sources = try Project.sources("Sources/\(module.name)")
    for source in sources where source.path.contains("/") {
      #expect(
        module.layer(of: source.path) < module.layers.count,
        "\(source.path) is in no layer. Add its folder to LayersTests.modules and to docs/Architecture.md.")
    }
    for layer in module.layers {
      #expect(
        sources.contains { $0.path.hasPrefix("\(layer)/") },
        "\(layer) has no files. Remove it from LayersTests.modules and from docs/Architecture.md.")
    }
  }

  @Test(arguments: modules) func dependOnlyOnEarlierLayers(_ module: Module) throws {
    let sources = try Project.sources("Sources/\(module.name)")
    var layers: [Substring: Int] = [:]
    for source in sources {
      // Regular expressions are slow in a debug build.
      for line in source.code where !line.hasPrefix(" ") {
        let declaration = /^(?! |private|fileprivate|extension)(?:[^{]*?\s)?(?:class|struct|enum|actor|protocol) (\w+)/
        if let match = line.firstMatch(of: declaration) { layers[match.1] = module.layer(of: source.path) }
      }
    }
    #expect(layers.count * 3 >= sources.count, "the test finds few types")
    for source in sources {
      let own = module.layer(of: source.path)
      for line in source.code where !line.hasPrefix("import ") {
        var code = line
        if code.contains("\"") { code.replace(/"(?:\\.|[^"\\])*"/, with: "") }
        if code.contains("//") { code.replace(/\/\/.*/, with: "") }
        for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
          guard let other = layers[word], other > own else { continue }
          Issue.record(
            """
            \(source.path) uses \(word), whose layer \(module.name(of: other)) is later: \(line)
            Move one of them to the layer of the other, or pass \(word) in as a closure or a protocol.
            """)
        }
      }
    }
  }

  @Test(arguments: modules) func theGuideListsTheLayersInOrder(_ module: Module) throws {
    let sections = try Project.text("docs/Architecture.md").components(separatedBy: "\n### ")
    let section = try #require(
      sections.first { $0.hasPrefix("\(module.name)\n") },
      "Add a section ### \(module.name) to docs/Architecture.md, which lists the layers.")
    let listed = section.components(separatedBy: "\n## ")[0].matches(of: #/(?m)^- `(\w+)`: /#).map { String($0.1) }
    #expect(
      listed == module.layers,
      """
      List the layers of \(module.name) in docs/Architecture.md in the order of LayersTests, each as a line such as \
      "- `Graph`: The logic of revisions."
      """)
  }

  /// The first picture of the guide shows the libraries and what they depend on.
  @Test func theGuideShowsTheModules() throws {
    let guide = try Project.text("docs/Architecture.md")
    let picture = try #require(guide.firstMatch(of: /(?s)```mermaid\n(.*?)```/)).1
    let shown = picture.matches(of: /(\w+) --> (\w+)/).map { "\($0.1) --> \($0.2)" }
    // The libraries do not link `TestSize`.
    let manifest = try Project.text("Package.swift").matches(
      of: /(?s)\.target\(\s*name: "(\w+)", dependencies: \[([^\]]*)\]/)
    let declared = manifest.filter { $0.1 != "TestSize" }.flatMap { target in
      target.2.matches(of: /"(\w+)"/).map { "\(target.1) --> \($0.1)" }
    }
    #expect(declared.count > 10)
    #expect(
      shown.sorted() == declared.sorted(),
      "In docs/Architecture.md, draw an arrow for each dependency of a library in Package.swift, and no other arrow.")
  }
}
