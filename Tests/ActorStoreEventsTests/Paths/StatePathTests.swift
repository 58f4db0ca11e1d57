public import ActorStoreEvents
import Testing

/// Paths that are made of key paths and keys.
@Suite struct StatePathTests {
  private static let comment = StatePath(\Forum.sections)[key: .swift].threads[key: Forum.thread].posts[key: 2]
    .comments[key: "c1"]

  private func error<Leaf>(_ path: StatePath<Forum, Leaf>, _ forum: Forum = .full) -> StatePathError? {
    #expect(throws: StatePathError.self) { try path.get(from: forum) }
  }

  @Test func followEachKindOfStep() throws {
    let forum = Forum.full
    #expect(try StatePath().get(from: forum) == forum)
    #expect(try StatePath(\Forum.owner).get(from: forum).name == "owner")
    #expect(try StatePath(\Forum.moderator).name.get(from: forum) == "moderator")
    #expect(try StatePath(\Forum.sections)[key: .swift].get(from: forum).threads.count == 2)
    #expect(try StatePath(\Forum.pinned)[key: 3].comments[key: "p1"].text.get(from: forum) == "pinned")
    #expect(try Self.comment.get(from: forum).text == "top")
    #expect(try Self.comment.author.get(from: forum).name == "top")
    #expect(Self.comment.replies[key: "r1"].text.find(in: forum) == "first")
  }

  @Test func describeThemselves() {
    #expect("\(StatePath<Forum, Forum>())" == "self")
    #expect(
      "\(Self.comment.author.name)" == #"sections[swift].threads[ID(bits: 7)].posts[2].comments["c1"].author.name"#)
    #expect("\(StatePath(\[Forum.Post].self, name: "posts")[key: 3])" == "posts[3]")
    #expect("\(StatePath<[Forum.Post], [Forum.Post]>()[key: 3].id)" == "[3].id")
    #expect("\(StatePath(\Forum.owner.name.count))" == "(Int)")
    #expect("\(StatePath(\Forum.owner).appending(\.name.count, name: "length"))" == "owner.length")
  }

  @Test func e11_errorsNameThePathSoFar() {
    let posts = StatePath(\Forum.sections)[key: .swift].threads[key: Forum.thread].posts
    #expect("\(error(StatePath(\Forum.moderator).name, Forum())!)" == "moderator: the child is nil")
    #expect(
      "\(error(StatePath(\Forum.sections)[key: .food].threads)!)" == "sections: there is no element with the key food")
    #expect(
      "\(error(posts[key: 2].comments[key: "c9"].text)!)"
        == #"sections[swift].threads[ID(bits: 7)].posts[2].comments: there is no element with the key "c9""#)
    #expect(error(posts[key: 9].comments[key: "c1"])?.reason == .noElement(key: "9"))
    #expect(error(StatePath(\Forum.pinned)[key: 1]) == error(StatePath(\Forum.pinned)[key: 1].comments))
    #expect(error(StatePath(\Forum.pinned)[key: 1])?.path == "pinned")
    #expect(error(Self.comment.replies[key: "r1"].author)?.reason == .noChild)
    let list = StatePath<[Forum.Post], [Forum.Post]>()[key: 3]
    let error = #expect(throws: StatePathError.self) { try list.get(from: []) }
    #expect(error?.description == "self: there is no element with the key 3")
  }

  @Test func e11_missingLeavesAreNil() {
    #expect(Self.comment.replies[key: "r9"].find(in: .full) == nil)
    #expect(Self.comment.find(in: Forum()) == nil)
  }

  @Test func e11_composedPathsNameTheWholePath() throws {
    let section = StatePath(\Forum.sections)[key: .swift]
    let thread = StatePath(\Forum.Section.threads)[key: Forum.thread]
    let comment = StatePath(\Forum.Thread.posts)[key: 2].appending(StatePath(\Forum.Post.comments)[key: "c1"])
    let path = section.appending(thread).appending(comment)
    #expect(path == Self.comment)
    #expect(try path.get(from: .full).text == "top")
    var forum = Forum.full
    forum.sections[.swift]?.threads[1].posts?[1].comments = []
    #expect(error(path, forum) == error(Self.comment, forum))
    #expect(error(path, forum)?.path == "sections[swift].threads[ID(bits: 7)].posts[2].comments")
    forum.sections[.swift]?.threads = []
    #expect(error(path, forum)?.path == "sections[swift].threads")
    forum.sections = [:]
    #expect(error(path, forum)?.path == "sections")
  }

  @Test func areEqualIfTheirStepsAre() {
    let pinned = StatePath(\Forum.pinned)[key: 3]
    let named = StatePath(\Forum.pinned, name: "top")[key: 3]
    #expect(pinned == named && pinned.hashValue == named.hashValue)
    #expect(pinned != StatePath(\Forum.pinned)[key: 4])
    #expect(StatePath(\Forum.owner).name != StatePath(\Forum.moderator).name)
    #expect(StatePath(\Forum.owner.name) != StatePath(\Forum.owner).name)
    let name = StatePath(\Forum.moderator).name
    #expect(Set([name, StatePath(\Forum.moderator).name, pinned.comments[key: "a"].text]).count == 2)
  }

  @Test func elementsOfAnotherCollectionHaveSteps() throws {
    struct Item: Hashable, Identifiable {
      let id: Int
    }
    #expect(StatePath<ArraySlice<Item>, ArraySlice<Item>>()[key: 2].find(in: [Item(id: 2)][...]) == Item(id: 2))
    #expect(StatePath<ArraySlice<Item>, ArraySlice<Item>>()[key: 2].find(in: [Item(id: 1)][...]) == nil)
  }
}

/// All requirements have default implementations for such a collection.
extension ArraySlice: KeyedCollection where Element: Identifiable {}
