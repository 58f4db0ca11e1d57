import Testing

@testable import Atoms

/// The series of looks at objects, without a graph.
@Suite struct ObjectLooksTests {
  private let node = NodeID(index: 3)
  private let other = NodeID(index: 4)

  /// A table of looks whose methods can be called in expectations.
  private final class Looks {
    private var looks = ObjectLooks()

    func begin(_ node: NodeID, _ number: UInt64, edition: UInt32) -> (look: ObjectLooks.Look, beginsSeries: Bool) {
      looks.begin(node, number, edition: edition)
    }
    func end(_ look: ObjectLooks.Look, by caller: UInt? = nil) -> ObjectLooks.Look? { looks.end(look, by: caller) }
    func publish(_ node: NodeID) { looks.notePublished(node) }
    func follow(_ look: ObjectLooks.Look) -> Bool { looks.follow(look) }
    func isLook(_ node: NodeID, _ edition: UInt32) -> Bool { looks.isLook(node, edition: edition) }
    func lookAgain(_ look: ObjectLooks.Look, _ edition: UInt32) -> Bool { looks.lookAgain(look, edition: edition) }
    func finish(_ look: ObjectLooks.Look) { looks.finish(look) }
    func stale(of caller: UInt, _ edition: UInt32 = 0) -> [NodeID]? { looks.takeStale(of: caller) { _ in edition } }
    func forget(_ node: NodeID) { looks.forget(node) }
  }

  @Test func aRunBeginsASeriesUnlessItIsALook() {
    let looks = Looks()
    let first = looks.begin(node, 1, edition: 1)
    #expect(first.beginsSeries)
    #expect(looks.lookAgain(first.look, 3))
    #expect(looks.isLook(node, 3) && !looks.isLook(node, 2))
    #expect(!looks.begin(node, 2, edition: 3).beginsSeries)
    // The same series continues.
    #expect(looks.lookAgain(first.look, 5))
    // This run is not a look.
    let second = looks.begin(node, 3, edition: 4)
    #expect(second.beginsSeries)
    #expect(!looks.lookAgain(first.look, 6))
    #expect(looks.lookAgain(second.look, 6))
    looks.finish(second.look)
    #expect(!looks.isLook(node, 6))
  }

  @Test func anAnnouncementEndsALookOnce() throws {
    let looks = Looks()
    let first = looks.begin(node, 1, edition: 1).look
    let series = try #require(looks.end(first))
    #expect(looks.end(first) == nil)
    #expect(!looks.lookAgain(first, 3))
    #expect(looks.lookAgain(series, 3))
    // An object that knows only the first look ends the newest one, too.
    _ = looks.begin(node, 2, edition: 3)
    #expect(looks.end(first) != nil)
    #expect(looks.follow(first))
    looks.forget(node)
    #expect(!looks.follow(first) && looks.end(first) == nil && !looks.lookAgain(series, 3))
    // A node that is added again has nothing to do with the former one.
    _ = looks.begin(node, 9, edition: 1)
    #expect(looks.end(first) == nil)
  }

  @Test func aCallerSeesTheNodesThatOthersHaveComputed() throws {
    let looks = Looks()
    let (first, second) = (looks.begin(node, 1, edition: 1).look, looks.begin(other, 2, edition: 1).look)
    #expect(looks.stale(of: 7) == nil)
    let series = try #require(looks.end(first, by: 7))
    #expect(looks.stale(of: 7) == [])
    looks.publish(node)
    looks.publish(other)
    #expect(looks.stale(of: 8) == nil)
    #expect(looks.stale(of: 7, 5) == [node])
    #expect(looks.isLook(node, 5))
    #expect(looks.stale(of: 7) == [])
    // Another caller announces a change of the other node.
    _ = looks.end(second, by: 8)
    looks.publish(other)
    #expect(looks.stale(of: 8) == [other])
    _ = looks.begin(node, 6, edition: 9)
    // A newer series has begun.
    looks.finish(series)
    #expect(looks.stale(of: 7) == [])
    looks.publish(node)
    looks.forget(node)
    #expect(looks.stale(of: 7) == nil)
  }

  @Test func theEndOfASeriesForgetsItsCaller() throws {
    let looks = Looks()
    let first = looks.begin(node, 1, edition: 1).look
    let series = try #require(looks.end(first, by: 7))
    #expect(looks.lookAgain(series, 3))
    looks.publish(node)
    looks.finish(series)
    #expect(looks.stale(of: 7) == nil)
  }
}
