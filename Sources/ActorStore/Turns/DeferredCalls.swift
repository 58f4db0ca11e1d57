/// The deferred calls that concern one store, as pure logic.
///
/// A deferred call belongs to its owner, the action that made it. It runs after the owner has committed, and never if
/// the owner fails. A store keeps two records, both under the lock that guards its turns:
///
/// - The calls that its own actions own. When such an action ends, its store removes them.
/// - The number of calls that it has accepted from actions of other stores and from its own overlapping actions. Such a
///   call takes its ticket when its owner commits. Until then, the store is not idle, and later calls by the same owner
///   are deferred, too.
///
/// A serial action's call to its own store needs no acceptance. It already has a ticket behind its owner.
struct DeferredCalls<Call: Sendable>: Sendable {
  fileprivate struct Owned: Sendable {
    let call: Call
    /// The position of the call among the calls of its owner.
    let position: Int
  }

  /// The calls of one owner.
  fileprivate struct Owner: Sendable {
    /// The calls by the number of the transaction member that made them, or by 0.
    var calls: [UInt64: [Owned]] = [:]
    /// The number of calls added so far.
    var count = 0
  }

  /// The owners by ticket.
  private var owned: [TicketNumber: Owner] = [:]
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

  mutating func add(_ call: Call, by member: UInt64, to owner: TicketNumber) {
    func add(to owner: inout Owner) {
      owner.count += 1
      owner.calls[member, default: []].append(Owned(call: call, position: owner.count))
    }
    add(to: &owned[owner, default: Owner()])
    areOwned = true
  }

  /// Removes and returns the calls of an owner that ends, in the order in which they were made.
  mutating func take(of owner: TicketNumber) -> [Call] {
    guard areOwned, let owner = owned.removeValue(forKey: owner) else { return [] }
    areOwned = !owned.isEmpty
    return owner.calls.values.joined().sorted { $0.position < $1.position }.map(\.call)
  }

  /// Removes and returns the calls that one member of a transaction made.
  mutating func take(of owner: TicketNumber, by member: UInt64) -> [Call] {
    let calls = owned[owner]?.calls.removeValue(forKey: member) ?? []
    if owned[owner]?.calls.isEmpty == true { owned[owner] = nil }
    areOwned = !owned.isEmpty
    return calls.map(\.call)
  }

  /// Moves the calls of an overlapping action to the ticket with which the action commits.
  mutating func move(from start: TicketNumber, to ticket: TicketNumber) {
    if let owner = owned.removeValue(forKey: start) { owned[ticket] = owner }
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

extension DeferredCalls.Owned: Equatable, Hashable where Call: Hashable {}
extension DeferredCalls.Owner: Equatable, Hashable where Call: Hashable {}
extension DeferredCalls: Equatable, Hashable where Call: Hashable {}
