import ActorStoreEvents

/// A tree of states with each kind of child, and with unrelated collections in front of them.
struct Forum: Equatable {
  enum Topic {
    case swift, food
  }

  var numbers = [1, 2]
  var names = ["a": 1]
  var owner = Author(name: "owner")
  var moderator: Author?
  var sections: [Topic: Section] = [:]
  var pinned = Pins<Post>()

  struct Section: Equatable, ChildState {
    static let parents: [ParentPath<Section>] = [.element(of: \Forum.sections)]

    var ids: [Thread.ID] = []
    var threads: [Thread] = []
  }

  struct Thread: Equatable, Identifiable, ChildState {
    struct ID: Hashable {
      let bits: UInt64
    }

    static let parents: [ParentPath<Thread>] = [.element(of: \Section.threads)]

    let id: ID
    var others: [Author] = []
    var posts: [Post]? = []
  }

  struct Post: Equatable, Identifiable, ChildState {
    static let parents: [ParentPath<Post>] = [
      ParentPath("posts") { StatePath(\Thread.posts)[key: $0] }, .element(of: \Forum.pinned),
    ]

    let id: Int
    var comments: [Comment] = []
  }

  struct Comment: Equatable, Identifiable, ChildState {
    static let parents: [ParentPath<Comment>] = [.element(of: \Comment.replies), .element(of: \Post.comments)]

    let id: String
    var text = ""
    var replies: [Comment] = []
    var author: Author?
  }

  struct Author: Equatable, ChildState {
    static let parents: [ParentPath<Author>] = [
      .child(\Forum.owner), .child(\Forum.moderator), .child(\Comment.author),
    ]

    var name: String
  }

  /// Is declared nowhere.
  struct Stray: ChildState {
    static let parents: [ParentPath<Stray>] = []
  }
}

extension Forum {
  static let thread = Thread.ID(bits: 7)

  /// A forum with one element in each collection, and a comment with replies three levels deep.
  static var full: Forum {
    let third = Comment(id: "r3", text: "third", author: Author(name: "deep"))
    let second = Comment(id: "r2", text: "second", replies: [third])
    let first = Comment(id: "r1", text: "first", replies: [second])
    let comment = Comment(id: "c1", text: "top", replies: [first], author: Author(name: "top"))
    let other = Comment(id: "c0", text: "other")
    let posts = [Post(id: 1), Post(id: 2, comments: [other, comment])]
    var forum = Forum()
    forum.moderator = Author(name: "moderator")
    forum.sections[.swift] = Section(threads: [Thread(id: Thread.ID(bits: 6)), Thread(id: thread, posts: posts)])
    forum.pinned.elements[3] = Post(id: 3, comments: [Comment(id: "p1", text: "pinned")])
    return forum
  }
}

/// A keyed collection of a client.
struct Pins<Element: Identifiable & Equatable & Sendable>: KeyedCollection, Equatable where Element.ID: Sendable {
  var elements: [Element.ID: Element] = [:]

  subscript(key id: Element.ID) -> Element? { elements[id] }

  mutating func update<Failure: Error>(
    key id: Element.ID, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) -> Bool { try elements.update(key: id, body) }

  mutating func updateAll<Failure: Error>(_ body: (inout Element) throws(Failure) -> Void) throws(Failure) {
    try elements.updateAll(body)
  }

  mutating func add(_ element: Element, key id: Element.ID) { elements[id] = element }
}
