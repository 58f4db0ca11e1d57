/// The deferred calls that concern one store, as pure logic.
///
/// A deferred call belongs to its owner, the action that made it. It runs after the owner has committed, and never if
/// the owner fails. A store keeps two records, both under the lock that guards its turns:
///
/// - The calls that its own actions own (see ``OwnedCalls``). When such an action ends, its store removes them.
/// - The number of calls that it has accepted from actions of other stores and from its own overlapping actions. Such a
///   call takes its ticket when its owner commits. Until then, the store is not idle, and later calls by the same owner
///   are deferred, too.
///
/// A serial action's call to its own store needs no acceptance. It already has a ticket behind its owner.
struct DeferredCalls<Call: Sendable>: Sendable {
  /// The owners by ticket.
  private var owned: [TicketNumber: OwnedCalls<Call>] = [:]
  /// The number of accepted calls for each owner.
  private var accepted: [TurnID: Int] = [:]

  // Each dispatch reads these two, so they are stored (HP12).
  /// Whether some action of the store owns a call.
  private(set) var areOwned = false
  /// Whether the store has accepted a call that has yet to take its ticket.
  private(set) var areExpected = false

  /// The number of accepted calls that have yet to take their tickets.
  var expectedCount: Int { accepted.values.reduce(0, +) }
  /// The actions that own accepted calls, and for whose ends the store waits.
  var owners: [TurnID] { Array(accepted.keys) }

  // MARK: Owning

  /// Adds a call, or returns `false` if the scope that made it has failed.
  mutating func add(_ call: Call, in scope: UInt64, to owner: TicketNumber) -> Bool {
    areOwned = true
    return owned[owner, default: OwnedCalls()].add(call, in: scope)
  }

  /// Removes and returns the calls of an owner that ends, in the order in which they were made.
  mutating func take(of owner: TicketNumber) -> [Call] {
    guard areOwned, let calls = owned.removeValue(forKey: owner) else { return [] }
    areOwned = !owned.isEmpty
    return calls.inOrder
  }

  /// Removes and returns the calls that an owner has made so far.
  ///
  /// The owner may make more calls until `take(of:)` records its end.
  mutating func takeCalls(soFarOf owner: TicketNumber) -> [Call] {
    areOwned ? owned[owner]?.takeAll() ?? [] : []
  }

  /// Removes and returns the calls of a scope that failed, and refuses its later calls.
  mutating func fail(_ scope: UInt64, through last: UInt64, of owner: TicketNumber) -> [Call] {
    areOwned = true
    return owned[owner, default: OwnedCalls()].fail(scope, through: last)
  }

  /// Moves the calls of an overlapping action to the ticket with which the action commits.
  mutating func move(from start: TicketNumber, to ticket: TicketNumber) {
    if let calls = owned.removeValue(forKey: start) { owned[ticket] = calls }
  }

  // MARK: Accepting

  func expects(from owner: TurnID) -> Bool { accepted[owner] != nil }

  mutating func accept(from owner: TurnID) {
    accepted[owner, default: 0] += 1
    areExpected = true
  }

  /// Records that an accepted call takes its ticket, or that its owner failed.
  mutating func release(from owner: TurnID) {
    guard let count = accepted[owner] else { return }
    accepted[owner] = count == 1 ? nil : count - 1
    areExpected = !accepted.isEmpty
  }
}

extension DeferredCalls: Equatable, Hashable where Call: Hashable {}
