@testable import ActorStore

struct Basket: Sendable {
  var items = 0
}

struct AddItem: Mutation {
  func run(_ basket: inout Basket) {}
}

struct Checkout: Action {
  func run(_ basket: inout Basket) async {}
}

extension ReportGuard where State == Basket {
  /// Reports an action.
  func report(
    _ action: some Action<Basket> = AddItem(), outcome: ReportedOutcome = .committed, member: Int? = nil,
    queueLength: Int = 0, waited: Duration? = nil, ran: Duration? = nil
  ) {
    didEnd(
      action,
      report: ActionReport(
        outcome: outcome, ticket: 1, revision: 1, member: member, queueLength: queueLength, waited: waited, ran: ran))
  }

  /// Reports a closure.
  func report(labeled label: StaticString) {
    report(ClosureMutation(label: label) { (_: inout Basket) in })
  }
}

extension StoreMetrics {
  /// Returns the guard that a new store gets.
  func join(_ name: String = "Shop", queue: TurnQueue = TurnQueue()) throws -> any ReportGuard<Basket> {
    let store = GuardedStore(name: .text(name), queue: queue)
    guard let made = (makeGuard(for: Basket.self) as! MetricsGuard<Basket>).makeGuard(for: store) else { throw Boom() }
    return made
  }
}

extension TurnQueue {
  /// A queue in which a number of calls wait.
  static func waiting(_ count: Int) -> TurnQueue {
    let queue = TurnQueue()
    for _ in 0...count { queue.wait() }
    return queue
  }

  /// Takes a ticket, which waits unless it is the first.
  @discardableResult
  func wait() -> TicketNumber { takeWithoutWaiting(.text("AddItem"), canSuspend: true, startingIn: .running).ticket }
}
