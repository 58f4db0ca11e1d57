/// What is to be called for whom, on which actor, with what a subscription brings.
///
/// It holds neither the owner nor the actor, which often is the owner, or holds it.
final class Observer<Owner: AnyObject, Value: Sendable>: AnyObserver, @unchecked Sendable {
  // The invariant that makes it sendable: the closure, and what it captures, is touched and let go on the actor, or when
  // the actor is gone and nobody else can touch it; the owner is looked at there, or by who has it. The weak variables
  // are never set again.

  private weak var owner: Owner?
  private weak var actor: (any Actor)?
  private var body: ((Owner, Value) -> Void)?
  private let subscription: Subscription<Value>

  init(
    _ owner: Owner,
    on actor: any Actor,
    _ subscription: Subscription<Value>,
    _ body: @escaping (Owner, Value) -> Void
  ) {
    self.owner = owner
    self.actor = actor
    self.subscription = subscription
    self.body = body
  }

  /// Calls the closure until the subscription ends, or the owner or the actor is gone.
  func run() async {
    repeat { await subscription.wait() } while await deliver()
    if let actor { await letGo(isolation: actor) } else { body = nil }
  }

  /// Calls the closure if there is something to take; false when that was the end.
  private func deliver() async -> Bool {
    guard let actor else { return false }
    return await deliver(isolation: actor)
  }

  /// On the actor nothing comes between taking and calling, so no call begins after a cancellation there.
  ///
  /// One value a time, accepted or not: others want the actor too.
  private func deliver(isolation: isolated any Actor) -> Bool {
    guard let owner, let body else { return false }
    switch subscription.takeOne() {
    case .value(let value):
      body(owner, value)
      return true
    case .refused, .nothing:
      return true
    case .end:
      return false
    }
  }

  private func letGo(isolation: isolated any Actor) {
    body = nil
  }

  func leave() {
    subscription.leave()
  }

  func belongs(to object: AnyObject) -> Bool { owner === object }

  func isLive(for object: AnyObject) -> Bool { belongs(to: object) && actor != nil }

  func isOver(asSeenOn current: (any Actor)?) -> Bool {
    guard let actor else { return true }
    return actor === current && owner == nil
  }
}

/// An observer, whatever the types of its owner and its values.
protocol AnyObserver: AnyObject, Sendable {
  func run() async
  /// Ends its subscription.
  func leave()
  /// Whether an object, which the caller has, is its owner.
  func belongs(to object: AnyObject) -> Bool
  /// Whether an object, which the caller has, is its owner, and its actor is there to be called on.
  func isLive(for object: AnyObject) -> Bool
  /// Whether its actor is gone, or its owner, as far as the actor that the caller is on can tell.
  func isOver(asSeenOn current: (any Actor)?) -> Bool
}
