import ActorStoreEvents
import Synchronization
import Testing

/// States that are found by their type and by keys.
@Suite struct ChildStateTests {
  typealias Comment = Forum.Comment
  typealias Author = Forum.Author

  private func error(_ body: () throws -> Any) -> String {
    let error = #expect(throws: StatePathError.self) { _ = try body() }
    return error?.description ?? ""
  }

  @Test func leavesAreFoundAtAnyDepth() throws {
    let forum = Forum.full
    #expect(try select(Forum.Section.self, from: forum, Forum.Topic.swift).threads.count == 2)
    #expect(try select(Forum.Thread.self, from: forum, Forum.Topic.swift, Forum.thread).posts?.count == 2)
    #expect(try select(Forum.Post.self, from: forum, Forum.Topic.swift, Forum.thread, 2).comments.count == 2)
    #expect(try select(Comment.self, from: forum, Forum.Topic.swift, Forum.thread, 2, "c1").text == "top")
    let author = try StatePath(
      Author.self, from: Forum.self, Forum.Topic.swift, Forum.thread, 2, "c1", "r1", "r2", "r3")
    #expect(try author.get(from: forum).name == "deep")
    #expect(
      "\(author)"
        == #"sections[swift].threads[ID(bits: 7)].posts[2].comments["c1"].replies["r1"].replies["r2"].replies["r3"].author"#
    )
  }

  @Test func keysChooseAmongPathsOfOneType() throws {
    #expect(try select(Forum.Post.self, from: Forum.full, 3).id == 3)
    #expect(try select(Comment.self, from: Forum.full, 3, "p1").text == "pinned")
  }

  @Test func searchesBeginAtAnyAncestor() throws {
    let post = try select(Forum.Post.self, from: Forum.full, Forum.Topic.swift, Forum.thread, 2)
    let comment = try select(Comment.self, from: post, "c1")
    #expect(try select(Comment.self, from: post, "c1", "r1").text == "first")
    #expect(try select(Comment.self, from: comment, "r1", "r2", "r3").text == "third")
    #expect(try select(Comment.self, from: comment) == comment)
    #expect(try select(Author.self, from: comment).name == "top")
  }

  /// The same path, whether found or written down.
  @Test func foundPathsEqualWrittenOnes() throws {
    let found = try StatePath(Comment.self, from: Forum.self, 3, "p1", "r")
    #expect(found == StatePath(\Forum.pinned)[key: 3].comments[key: "p1"].replies[key: "r"])
  }

  @Test func e11_namesChooseAmongChildrenOfOneType() throws {
    #expect(try select(Author.self, from: Forum.full, via: "owner").name == "owner")
    #expect(try select(Author.self, from: Forum.full, via: "moderator").name == "moderator")
    #expect(error { try select(Author.self, from: Forum(), via: "moderator") } == "moderator: the child is nil")
    #expect(
      error { try select(Author.self, from: Forum.full) }
        == #"self: several paths fit the keys, so name a step with "via": owner, moderator"#)
    #expect(
      error { try select(Author.self, from: Forum.full, via: "father") }
        == "self: no declared path goes via father"
    )
    let topic = Forum.Topic.swift
    #expect(
      try select(Author.self, from: Forum.full, topic, Forum.thread, 2, "c1", via: "sections", "author").name == "top")
    #expect(
      error { try select(Author.self, from: Forum.full, topic, Forum.thread, 2, "c1", via: "author", "sections") }
        == "self: no declared path goes via author, sections")
  }

  @Test func e11_missingElementsAreNamed() {
    #expect(
      error { try select(Comment.self, from: Forum.full, 3, "c9") }
        == #"pinned[3].comments: there is no element with the key "c9""#)
    #expect(
      error { try select(Comment.self, from: Forum.full, 4, "c9") } == "pinned: there is no element with the key 4")
    #expect(
      error { try select(Forum.Section.self, from: Forum(), Forum.Topic.food) }
        == "sections: there is no element with the key food")
    #expect(
      error { try select(Author.self, from: Forum.full, 3, "p1") }
        == #"pinned[3].comments["p1"].author: the child is nil"#)
  }

  @Test func e11_wrongNumbersOfKeysAreNamed() {
    #expect(error { try select(Comment.self, from: Forum.full, 3) } == "pinned[3].comments: a key is missing")
    #expect(error { try select(Comment.self, from: Forum.full) } == "pinned: a key is missing")
    #expect(
      error { try select(Forum.Section.self, from: Forum.full, Forum.Topic.swift, 1, "b") }
        == #"sections[swift]: there are too many keys: 1, "b""#)
  }

  @Test func e11_keysOfTheWrongTypeAreNamed() {
    #expect(
      error { try select(Comment.self, from: Forum.full, 3, 4) }
        == "pinned[3].comments: the key 4 has the type Int, but the type String is needed")
    #expect(
      error { try select(Comment.self, from: Forum.full, 3, "c1", Forum.Topic.food) }
        == #"pinned[3].comments["c1"].replies: the key food has the type Topic, but the type String is needed"#)
    #expect(
      error { try select(Forum.Section.self, from: Forum.full, "swift") }
        == #"sections: the key "swift" has the type String, but the type Topic is needed"#)
    #expect(
      error { try select(Comment.self, from: Forum.full, UInt8(3)) }
        == "pinned: the key 3 has the type UInt8, but the type Int is needed")
  }

  /// The path that can use most of the keys was meant, whichever is declared first.
  @Test func errorsAreAboutTheMostLikelyPath() {
    let topic = Forum.Topic.swift
    #expect(
      error { try select(Comment.self, from: Forum.full, topic, Forum.thread, 2, 4) }
        == "sections[swift].threads[ID(bits: 7)].posts[2].comments: the key 4 has the type Int, but the type String is needed"
    )
    #expect(
      error { try select(Forum.Post.self, from: Forum.full, "x") }
        == #"pinned: the key "x" has the type String, but the type Int is needed"#)
    #expect(
      error { try select(Forum.Post.self, from: Forum.full, topic) } == "sections[swift].threads: a key is missing")
    #expect(error { try select(Forum.Post.self, from: Forum.full, 3, 9) } == "pinned[3]: there are too many keys: 9")
    #expect(
      error { try select(Forum.Post.self, from: Forum.full, topic, Forum.thread, 2, 9) }
        == "sections[swift].threads[ID(bits: 7)].posts[2]: there are too many keys: 9")
    #expect(
      error { try select(Author.self, from: Forum.full, 3, via: "moderator") }
        == "moderator: there are too many keys: 3")
  }

  @Test func undeclaredPathsAreErrors() {
    #expect(error { try select(Forum.Stray.self, from: Forum.full) } == "self: no declared path leads to Stray")
    #expect(
      error { try select(Forum.Section.self, from: Author(name: ""), 1) } == "self: no declared path leads to Section")
  }

  /// A chain of single children of one type, which needs no keys.
  private struct Chained: ChildState {
    static let parents: [ParentPath<Chained>] = [.child(\Chained.next, name: "next"), .child(\Box.first)]

    struct Box: Sendable {
      var first: Chained?
    }

    let number: Int
    private var rest: [Chained]
    var next: Chained? { rest.first }

    init(_ number: Int, _ next: Chained? = nil) {
      self.number = number
      rest = next.map { [$0] } ?? []
    }
  }

  @Test func namesLeadThroughChildrenOfOneTypeWithoutKeys() throws {
    let chain = Chained(1, Chained(2, Chained(3)))
    let box = Chained.Box(first: chain)
    #expect(try select(Chained.self, from: box).number == 1)
    #expect(try select(Chained.self, from: box, via: "next").number == 2)
    #expect(try select(Chained.self, from: box, via: "next", "next").number == 3)
    #expect(try select(Chained.self, from: chain, via: "next", "next").number == 3)
    #expect(
      error { try select(Chained.self, from: chain, via: "next", "next", "next") } == "next.next.next: the child is nil"
    )
  }

  /// A tree with two paths with the same type of keys at each level, which counts the searches.
  private struct Twin: ChildState, Identifiable {
    static let searches = Mutex(0)

    static var parents: [ParentPath<Twin>] {
      searches.withLock { $0 += 1 }
      return [.element(of: \Twin.left), .element(of: \Twin.right), .element(of: \Root.twins)]
    }

    struct Root: Sendable {
      var twins: [Int: Twin] = [:]
    }

    let id: String
    var left: [Twin] = []
    var right: [Twin] = []
  }

  /// There are 65,536 chains, none of which begins with a key of the right type.
  @Test func searchesDoNotGrowExponentially() throws {
    let message = error {
      try select(
        Twin.self, from: Twin.Root(), "b", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a",
        "a")
    }
    #expect(message == #"twins: the key "b" has the type String, but the type Int is needed"#)
    #expect(Twin.searches.withLock { $0 } < 1000)
  }

  @Test func e11_ambiguousPathsAreListedAfterTheirCommonPart() throws {
    let names = error { try StatePath(Twin.self, from: Twin.Root.self, 1, "a") }
    #expect(
      names
        == #"twins[1]: several paths fit the keys, so name a step with "via": twins[1].left["a"], twins[1].right["a"]"#)
    let path = try StatePath(Twin.self, from: Twin.Root.self, 1, "a", "b", via: "right", "left")
    #expect("\(path)" == #"twins[1].right["a"].left["b"]"#)
    let both = try StatePath(Twin.self, from: Twin.Root.self, 1, "a", "b", via: "twins", "left", "left")
    #expect("\(both)" == #"twins[1].left["a"].left["b"]"#)
    // One name leaves two paths.
    #expect(
      error { try StatePath(Twin.self, from: Twin.Root.self, 1, "a", "b", via: "left") }.contains("several paths"))
  }
}
