import ActorStore
import ActorStoreEvents
import Synchronization
import Testing

/// Paths as selections of a store.
@Suite struct PathSelectionTests {
  private static let comment = StatePath(\Forum.pinned)[key: 3].comments[key: "p1"]

  private func all<Value: Sendable>(_ values: AsyncStream<Value>) async -> [Value] {
    await values.reduce(into: []) { $0.append($1) }
  }

  @Test func e12_valuesAreNilWhileTheLeafIsMissing() async {
    let store = Store(Forum())
    let texts = store.select(Self.comment.text).values
    await store.dispatch { $0 = .full }
    await store.dispatch { $0.owner.name = "unrelated" }
    await store.dispatch { $0.pinned.elements[3]?.comments = [] }
    await store.dispatch { $0.pinned.elements[3] = nil }
    await store.dispatch {
      $0.pinned.elements[3] = Forum.Post(id: 3, comments: [Forum.Comment(id: "p1", text: "again")])
    }
    await store.dispatch { $0.pinned.elements[3]?.comments[0].text = "changed" }
    store.close()
    #expect(await all(texts) == [nil, "pinned", nil, "again", "changed"])
  }

  @Test func foundStatesCanBeWatched() async throws {
    let store = Store(Forum.full)
    let comments = try store.select(Forum.Comment.self, 3, "p1").values
    let owners = try store.select(Forum.Author.self, via: "owner").values
    await store.dispatch { $0.pinned.elements[3]?.comments[0].text = "new" }
    store.close()
    #expect(await all(comments).map(\.?.text) == ["pinned", "new"])
    #expect(await all(owners).map(\.?.name) == ["owner"])
    let error = #expect(throws: StatePathError.self) { try store.select(Forum.Comment.self, 3) }
    #expect(error?.path == "pinned[3].comments")
  }

  /// Is not `Equatable`, and counts the reads of a child.
  private struct Counted: Sendable {
    struct Leaf: Sendable {
      var number: Int
    }

    final class Reads: Sendable {
      let count = Mutex(0)
    }

    let reads = Reads()
    var number = 0

    var leaf: Leaf {
      reads.count.withLock { $0 += 1 }
      return Leaf(number: number)
    }
  }

  @Test func e12_equalPathsShareOneSelection() async {
    let state = Counted()
    let store = Store(state)
    let streams = (0..<3).map { _ in store.select(StatePath(\Counted.leaf).number).values }
    let other = store.select(StatePath(\Counted.leaf.number)).values
    let before = state.reads.count.withLock { $0 }
    await store.dispatch { $0.number = 1 }
    // One of them for the other path.
    #expect(state.reads.count.withLock { $0 } == before + 2)
    store.close()
    for stream in streams { #expect(await all(stream) == [0, 1]) }
    #expect(await all(other) == [0, 1])
  }

  @Test func leavesThatCannotBeComparedNeedAComparison() async {
    let store = Store(Counted())
    let leaves = store.select(Selection(StatePath(\Counted.leaf)), .always).values
    await store.dispatch { _ in }
    store.close()
    #expect(await all(leaves).map(\.?.number) == [0, 0])
  }
}
