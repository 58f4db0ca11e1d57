/// Calls a closure for an owner on an actor with the values of a subscription.
///
/// It holds neither the owner nor the actor. The actor often is the owner, or holds it.
final class Observer<Owner: AnyObject, Value: Sendable>: AnyObserver, @unchecked Sendable {
  // Invariant: the closure and its captured values are used and released on the actor, or when the actor is gone and no
  // other code can use them. The owner is accessed there, or by code that holds it. The weak variables are never
  // reassigned.

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

  /// Calls the closure until the subscription ends, or until the owner or the actor is gone.
  func run() async {
    repeat { await subscription.wait() } while await deliver()
    if let actor { await releaseBody(isolation: actor) } else { body = nil }
  }

  /// Delivers a value if there is one, or returns `false` at the end.
  private func deliver() async -> Bool {
    guard let actor else { return false }
    return await deliver(isolation: actor)
  }

  /// Takes a value and calls the closure, or returns `false` at the end.
  ///
  /// There is no suspension in between, so no call begins after a cancellation on the actor. It takes one value at a
  /// time, whether or not the filter accepts it, because other code needs the actor too.
  private func deliver(isolation: isolated any Actor) -> Bool {
    guard let owner, let body else { return false }
    switch subscription.take() {
    case .value(let value):
      body(owner, value)
      return true
    case .refused, .nothing:
      return true
    case .end:
      return false
    }
  }

  private func releaseBody(isolation: isolated any Actor) {
    body = nil
  }

  func leave() {
    subscription.leave()
  }

  func belongs(to object: AnyObject) -> Bool { owner === object }

  func isLive(for object: AnyObject) -> Bool { belongs(to: object) && actor != nil }

  var isEnding: Bool { subscription.isEnding }

  func isOver(asSeenOn current: (any Actor)?) -> Bool {
    guard let actor else { return true }
    return actor === current && owner == nil
  }
}

/// An observer of any owner and value type.
protocol AnyObserver: AnyObject, Sendable {
  func run() async
  /// Ends its subscription.
  func leave()
  /// Whether an object that the caller holds is its owner.
  func belongs(to object: AnyObject) -> Bool
  /// Whether an object that the caller holds is its owner, and its actor still exists.
  func isLive(for object: AnyObject) -> Bool
  /// Whether its subscription delivers only remaining values.
  var isEnding: Bool { get }
  /// Whether its actor is gone, or its owner is gone and the caller runs on its actor.
  func isOver(asSeenOn current: (any Actor)?) -> Bool
}
