/// What is kept for a subscriber that is behind.
enum Buffering: Hashable, Sendable {
  case unbounded
  case newest(Int)
  case oldest(Int)
}

@usableFromInline struct SubscriptionID: Hashable, Comparable, Sendable {
  @usableFromInline let number: UInt64

  @usableFromInline
  static func < (one: SubscriptionID, other: SubscriptionID) -> Bool { one.number < other.number }
}

/// One subscriber, as its store's hub knows it.
struct Subscriber<State: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  let buffering: Buffering
  let filter: Filter?
  /// The revision it looks at next; nil until it has started.
  var position: UInt64?
  private(set) var startedAt: UInt64 = 0
  /// Its own states, before those of the backlog: the one it starts from, or all that its policy has kept.
  var own: ArraySlice<State> = []
  /// Whether it keeps the oldest and the next state goes to it.
  var isFilling = false
  /// Whether a call of `next` is under way: waits for a state, or asks the filter.
  var isTaken = false
  /// What its filter is being asked about.
  var judging: State?
  /// What its filter last accepted.
  var accepted: State?
  /// The call of `next` that waits for a state.
  var parked: Consumer?
  /// Further calls of `next`, which wait for that one.
  var others: [Consumer] = []
  var received = 0
  var dropped = 0
  var refused = 0

  init(buffering: Buffering, filter: Filter?) {
    self.buffering = buffering
    self.filter = filter
  }

  mutating func start(at state: State, next: UInt64) {
    own = [state]
    position = next
    startedAt = next
  }

  /// Whether there is a state to take, given the revision that the next one will have.
  func hasState(before next: UInt64) -> Bool {
    if !own.isEmpty { return true }
    switch buffering {
    case .unbounded, .newest: return position.map { $0 < next } == true
    case .oldest: return false
    }
  }

  /// A state is delivered, which ends a call of `next`; returns another that is to try.
  mutating func endCall() -> Consumer? {
    received += 1
    isTaken = false
    return others.isEmpty ? nil : others.removeFirst()
  }

  /// Everybody who waits in a call of `next`, and waits no more.
  mutating func release() -> [Consumer] {
    defer { (parked, others, isTaken) = (nil, [], false) }
    return (parked.map { [$0] } ?? []) + others
  }

  func account(upTo next: UInt64) -> SubscriptionAccount {
    SubscriptionAccount(
      offered: position == nil ? 0 : 1 + Int(next - startedAt), received: received, dropped: dropped, refused: refused)
  }
}

/// What became of the states that a subscriber was offered.
struct SubscriptionAccount: Hashable, Sendable {
  var offered = 0
  var received = 0
  /// By its policy.
  var dropped = 0
  /// By its filter.
  var refused = 0
}

extension Subscriber: Equatable, Hashable where State: Hashable, Consumer: Hashable, Filter: Hashable {}
