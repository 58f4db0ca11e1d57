import Testing

@testable import ActorStore

/// The order of one store's records, as pure logic.
@Suite struct RecordOrderTests {
  private typealias Order = RecordOrderStateMachine<String>

  private func add(
    _ record: String?,
    ticket: UInt64? = nil,
    at place: Order.Place,
    to order: inout Order
  ) -> [String] {
    var released: [String] = []
    order.add(record, ticket: ticket, at: place) { released.append($0) }
    return released
  }

  @Test func aCommitWaitsForThoseBeforeIt() {
    var order = Order(limit: 10)
    #expect(add("3", at: .commit(3), to: &order) == [])
    #expect(add("2", at: .commit(2), to: &order) == [])
    #expect(add("1", at: .commit(1), to: &order) == ["1", "2", "3"])
    #expect(add("4", at: .commit(4), to: &order) == ["4"])
  }

  @Test func otherRecordsFollowTheirRevision() {
    var order = Order(limit: 10)
    #expect(add("after 0", at: .after(0), to: &order) == ["after 0"])
    #expect(add("after 2", at: .after(2), to: &order) == [])
    #expect(add("3", at: .commit(3), to: &order) == [])
    #expect(add("after all", at: .afterAll, to: &order) == [])
    #expect(add("after 1", at: .after(1), to: &order) == [])
    #expect(add("1", at: .commit(1), to: &order) == ["1", "after 1"])
    #expect(add("2", at: .commit(2), to: &order) == ["2", "after 2", "3", "after all"])
    #expect(add("after all", at: .afterAll, to: &order) == ["after all"])
  }

  @Test func aFilteredCommitClosesItsGap() {
    var order = Order(limit: 10)
    #expect(add(nil, at: .commit(2), to: &order) == [])
    #expect(add("3", at: .commit(3), to: &order) == [])
    #expect(add(nil, at: .commit(1), to: &order) == ["3"])
  }

  /// The members of a transaction that the filter excludes, or that failed, keep their place.
  @Test func membersWithoutACommit() {
    var order = Order(limit: 10)
    #expect(order.add("member", memberOf: 5) == true)
    #expect(add("1", ticket: 1, at: .commit(1), to: &order) == ["1"])
    #expect(add("failed", ticket: 5, at: .after(2), to: &order) == [])
    #expect(add(nil, ticket: 2, at: .commit(2), to: &order) == ["member", "failed"])
    #expect(order.add("member", memberOf: 6) == true)
    #expect(add(nil, ticket: 6, at: .commit(3), to: &order) == ["member"])
  }

  @Test func tooManyMembersAreDropped() {
    var order = Order(limit: 2)
    #expect(order.add("a", memberOf: 1) == true)
    #expect(order.add("b", memberOf: 2) == true)
    #expect(order.add("c", memberOf: 1) == false)
    #expect(add("1", ticket: 1, at: .commit(1), to: &order) == ["a", "1"])
    #expect(order.add("d", memberOf: 2) == true)
  }

  /// The record of the missing commit is released when it comes, and each later gap is a new one.
  @Test func aGapIsSkippedAtTheLimit() {
    var order = Order(limit: 2)
    #expect(add("2", at: .commit(2), to: &order) == [])
    #expect(add("after 2", at: .after(2), to: &order) == [])
    #expect(add("4", at: .commit(4), to: &order) == ["2", "after 2"])
    #expect(add("1", at: .commit(1), to: &order) == ["1"])
    #expect(add("after 4", at: .after(4), to: &order) == [])
    #expect(add("after 3", at: .after(3), to: &order) == ["after 3", "4", "after 4"])
    #expect(add("3", at: .commit(3), to: &order) == ["3"])
    #expect(add("5", at: .commit(5), to: &order) == ["5"])
  }
}
