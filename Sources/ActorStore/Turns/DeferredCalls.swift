/// The deferred calls that concern one store, as pure logic.
///
/// A deferred call belongs to its owner, the action that made it. It runs after the owner has committed, and never if
/// the owner fails. A store keeps two things, and both under the lock that guards its turns:
///
/// - The calls that its own actions own. When such an action ends, its store takes them out.
/// - The number of calls that it has accepted from actions of other stores. Such a call takes its ticket when its owner
///   commits. Until then, the store is not idle, and later calls by the same owner are deferred, too.
///
/// A call to the store of its owner needs no acceptance. It already has its ticket, behind the owner.
struct DeferredCalls<Call: Sendable>: Sendable {
  fileprivate struct Owned: Sendable {
    let call: Call
    /// The position of the call among all calls.
    let order: UInt64
  }

  /// The calls of each owner by its ticket, and then by the member of the owner, a transaction, that made the call, or 0.
  private var owned: [TicketNumber: [UInt64: [Owned]]] = [:]
  private var lastOrder: UInt64 = 0
  /// The number of accepted calls for each owner.
  private var accepted: [TurnID: Int] = [:]

  // Each dispatch reads these two, so they are stored (HP12).
  /// Whether some action of the store owns a call.
  private(set) var areOwned = false
  /// Whether the store has accepted a call that has yet to take its ticket.
  private(set) var areExpected = false

  /// The number of accepted calls that have yet to take their tickets.
  var expectedCount: Int { accepted.values.reduce(0, +) }
  /// The actions of other stores on whose ends the store waits.
  var owners: [TurnID] { Array(accepted.keys) }

  // MARK: Owning

  mutating func add(_ call: Call, by member: UInt64, to owner: TicketNumber) {
    lastOrder += 1
    areOwned = true
    owned[owner, default: [:]][member, default: []].append(Owned(call: call, order: lastOrder))
  }

  /// Takes out the calls of an owner that ends, in the order in which they were made.
  mutating func take(of owner: TicketNumber) -> [Call] {
    guard areOwned, let calls = owned.removeValue(forKey: owner) else { return [] }
    areOwned = !owned.isEmpty
    return calls.values.joined().sorted { $0.order < $1.order }.map(\.call)
  }

  /// Takes out the calls that one member of a transaction made.
  mutating func take(of owner: TicketNumber, by member: UInt64) -> [Call] {
    let calls = owned[owner]?.removeValue(forKey: member) ?? []
    if owned[owner]?.isEmpty == true { owned[owner] = nil }
    areOwned = !owned.isEmpty
    return calls.map(\.call)
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

extension DeferredCalls.Owned: Equatable, Hashable where Call: Hashable {}
extension DeferredCalls: Equatable, Hashable where Call: Hashable {}
