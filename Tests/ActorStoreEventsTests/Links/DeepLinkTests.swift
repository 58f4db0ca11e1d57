import ActorStoreEvents
import SeededRandom
import TestSize
import Testing

@Suite struct DeepLinkTests {
  @Test(arguments: [
    ("/todos", Page.todos), ("/todos/7", .todo(7)), ("/todos/-7/edit", .edit(-7)),
    ("/archive", .archive(year: nil, month: nil)),
    ("/archive/2026", .archive(year: 2026, month: nil)), ("/archive/2026/11", .archive(year: 2026, month: 11)),
    ("/search?text=milk", .search("milk", page: nil)), ("/search?text=a%20b&page=2", .search("a b", page: 2)),
    ("/search?text=", .search("", page: nil)),
    ("/search?text=%C3%A9%26%3D%2F%3F%23%25%2B", .search("é&=/?#%+", page: nil)),
  ]) func e16_canonicalLinksReturnUnchanged(_ link: String, _ page: Page) throws {
    #expect(try Page.links.route(for: link) == page)
    #expect(try Page.links.link(to: page) == link)
  }

  @Test(arguments: [
    ("https://todo.example/todos/7", "/todos/7"), ("HTTPS://Todo.Example/todos/007/", "/todos/7"),
    ("todo://todos/7?utm_source=mail#top", "/todos/7"), ("//todos//7", "/todos/7"), ("/x/../todos/./7", "/todos/7"),
    ("/search?page=2&text=a+b", "/search?text=a%2Bb&page=2"), ("/search?text", "/search?text="),
    ("/%74odos", "/todos"), ("/search?text=é", "/search?text=%C3%A9"),
  ]) func e16_otherLinksHaveACanonicalForm(_ link: String, _ canonical: String) throws {
    let link = link.hasPrefix("//") ? "todo:/" + link : link
    #expect(try Page.links.link(to: Page.links.route(for: link)) == canonical)
  }

  @Test(arguments: [
    ("/tods", #"/: no link continues with "tods""#), ("/todos/x", #"/todos: the part "x" is not a valid Int for "id""#),
    ("/todos/7/delete", #"/todos/7: no link continues with "delete""#), ("/", "/: the link ends too early"),
    ("/search", #"/search: the query item "text" is missing"#),
    ("/search?text=a&page=b", #"/search: the part "b" is not a valid Int for "page""#),
    ("/search?text=a&text=b", #"/search: the query item "text" is repeated"#),
    ("/todos/%zz", #"/todos: the part "%zz" has an invalid percent-encoding"#),
    ("/todos/%4", #"/todos: the part "%4" has an invalid percent-encoding"#),
    ("/search?text=%FF", #"/search: the part "text=%FF" has an invalid percent-encoding"#),
    ("https://other.example/todos", #"link: links do not begin with "https://other.example/todos""#),
    ("https://todo.example.org/todos", #"link: links do not begin with "https://todo.example.org/todos""#),
    ("", #"link: links do not begin with """#), ("todos", #"link: links do not begin with "todos""#),
    ("/archive/2026/11/27", #"/archive/2026/11: no link continues with "27""#),
  ]) func e16_errorsNameThePart(_ link: String, _ message: String) {
    #expect { try Page.links.route(for: link) } throws: { "\($0)" == message }
  }

  private enum Letter: Equatable {
    case a(Int, Int?, Int?), b(Int, Int?), list, found(String), number(Double)

    static let links = DeepLinks<Letter>(
      origins: ["https://a.example", "https://a.example/App", "https://b.example/", "c://"],
      LinkPattern("/a/:x(/:y/:z)", route: Letter.a) { if case .a(let x, let y, let z) = $0 { (x, y, z) } else { nil } },
      LinkPattern("/a/:x(/lit/:z)", route: Letter.b) { if case .b(let x, let z) = $0 { (x, z) } else { nil } },
      LinkPattern("/s", .list),
      LinkPattern("/s?q", route: Letter.found) { if case .found(let text) = $0 { text } else { nil } },
      LinkPattern("/d/:x", route: Letter.number) { if case .number(let x) = $0 { x } else { nil } })
  }

  /// Patterns are ranked by the parts that the link has, and then by its query items.
  @Test func e16_theBestPatternHasThePartsOfTheLink() throws {
    #expect(try Letter.links.route(for: "/a/5") == .a(5, nil, nil))
    #expect(try Letter.links.route(for: "/a/5/lit/6") == .b(5, 6))
    #expect(try Letter.links.link(to: .a(5, nil, nil)) == "/a/5")
    #expect(try Letter.links.route(for: "/s?q=x") == .found("x"))
    #expect(try Letter.links.route(for: "/s?p=x") == .list)
    #expect(try Letter.links.link(to: .found("x")) == "/s?q=x")
  }

  @Test func e16_theLongestOriginCounts() throws {
    for link in ["https://a.example/s", "HTTPS://A.example/App/s", "https://b.example/s", "c://s", "C:///s"] {
      #expect(try Letter.links.route(for: link) == .list, "\(link)")
    }
    #expect(throws: LinkError.self) { try Letter.links.route(for: "https://a.example/app/s") }
  }

  /// Links often have foreign items, such as those for tracking.
  @Test func e16_itemsWithoutAParameterAreIgnored() throws {
    for link in ["/s?utm=1&utm=2", "/s?utm=50%", "/s?%zz=1", "/s?&&"] {
      #expect(try Letter.links.route(for: link) == .list, "\(link)")
    }
    #expect(throws: LinkError.self) { try Letter.links.route(for: "/s?q=1&q=2") == .list }
  }

  @Test func e16_numbersAreExact() throws {
    #expect(throws: LinkError.self) { try Letter.links.route(for: "/d/5%00abc") }
    #expect { try Letter.links.link(to: .number(.infinity)) } throws: { "\($0)".hasSuffix(#"no value for "x""#) }
    #expect(try Letter.links.route(for: Letter.links.link(to: .number(-0.0))) == .number(0))
  }

  @Test func e16_routesWithoutALinkAreErrors() {
    #expect { try Page.links.link(to: .login) } throws: { "\($0)" == "login: no link leads to this route" }
    #expect(throws: LinkError.self) { try Page.links.link(to: .archive(year: nil, month: 11)) }
  }

  private enum Name: Equatable {
    case named(String), new, number(Int), twice(String)

    static let links = DeepLinks<Name>(
      LinkPattern("/names/:name", route: Name.named) { if case .named(let name) = $0 { name } else { nil } },
      LinkPattern("/names/new", .new),
      LinkPattern("/:number", route: Name.number) { if case .number(let number) = $0 { number } else { nil } },
      LinkPattern("/:text", route: Name.twice) { if case .twice(let text) = $0 { text } else { nil } })
  }

  /// A literal precedes a parameter, and a pattern whose value does not fit gives way to the next one.
  @Test func e16_theBestPatternIsFound() throws {
    #expect(try Name.links.route(for: "/names/new") == .new)
    #expect(try Name.links.route(for: "/names/old") == .named("old"))
    #expect(try Name.links.route(for: "/12") == .number(12))
    #expect(try Name.links.route(for: "/twelve") == .twice("twelve"))
    #expect { try Name.links.link(to: .named("new")) } throws: {
      "\($0)".hasSuffix("the link /names/new leads to another route")
    }
    #expect { try Name.links.link(to: .twice("12")) } throws: { "\($0)".hasSuffix("leads to another route") }
    #expect { try Name.links.link(to: .named("")) } throws: { "\($0)".hasSuffix(#"no value for "name""#) }
    for name in [".", "..", "a/b", "é", "e\u{301}", "%", " ", "\u{0}", "?", "\u{301}"] {
      #expect(try Name.links.route(for: Name.links.link(to: .named(name))) == .named(name))
    }
  }

  /// Random combinations of pieces of links never crash the parser, and each link that has a route round-trips.
  @Test(arguments: 0..<10 as Range<UInt64>) func e16_randomLinksRoundTrip(_ seed: UInt64) {
    let pieces = [
      "/", "/todos", "/search", "/archive", "/edit", "?", "&", "=", "text", "page", "%", "%2", "%2F", "%FF", "%C3%A9",
      "é", "7", "-1", "99999999999999999999", ".", "..", "#", ":", "todo:/", "https://todo.example", "\u{301}", "\0",
      "+", " ",
    ]
    var (random, parsed) = (SplitMix64(seed), 0)
    let count = TestSize.length(10_000, short: 1_000)
    for _ in 0..<count {
      var link = random.below(4) == 0 ? "" : ["/todos", "/search?text=", "/archive/", "/todos/7"][random.below(4)]
      for _ in 0..<random.below(8) { link += pieces[random.below(pieces.count)] }
      do throws(LinkError) {
        let page = try Page.links.route(for: link)
        let canonical = try Page.links.link(to: page)
        parsed += 1
        let again = try Page.links.route(for: canonical)
        if again != page { Issue.record("\(link) became \(canonical)") }
        if try Page.links.link(to: again) != canonical { Issue.record("\(canonical) changed") }
      } catch {
        if error.path.isEmpty || "\(error)".hasSuffix(": ") { Issue.record("\(link): an error without a part") }
      }
    }
    #expect(parsed > count / 20)
  }

  @Test func e16_invalidPatternsStopTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("todos", 1) }
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("/todos/:id", 1) }
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("/todos/(:id", 1) }
    await #expect(processExitsWith: .failure) {
      _ = LinkPattern<Int>("/a/:id/:id", route: { (a: Int, b: Int) in a + b }, values: { ($0, 0) })
    }
    await #expect(processExitsWith: .failure) {
      _ = LinkPattern<Int>("/a(/:id)", route: { (a: Int) in a }, values: { $0 })
    }
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("/a//b", 1) }
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("/a(/b)", 1) }
    await #expect(processExitsWith: .failure) {
      _ = LinkPattern<Int>("/s?q=:x", route: { (a: Int) in a }, values: { $0 })
    }
    await #expect(processExitsWith: .failure) { _ = LinkPattern<Int>("/todo-:id", 1) }
  }
}
