/// Who watches one store, and how far each has come: the logic alone.
///
/// No lock, no continuation, and no filter is called here: each method is one atomic step and returns what is to be
/// done. A `Consumer` stands for a waiting call of `next`, a `Filter` for what is asked before a state is delivered.
///
/// Whoever commits publishes, in its turn, so there is one publication at a time: `publish`, whose cost does not grow
/// with those who are behind, and then `offer` for each who waits. Everybody else takes at their own pace.
struct Subscribers<State: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  /// What a call of `next` is to do.
  enum Taking: Sendable {
    case deliver(State)
    /// Ask the filter, and come back with its verdict.
    case judge(Filter, previous: State?, new: State)
    /// Park until there is a state.
    case park
    /// Another call of `next` is under way: wait for it.
    case queue
    case end
  }

  /// What is to be done with a waiting subscriber at a commit.
  enum Offer: Sendable {
    /// Give it the state, and let another call of `next` try.
    case deliver(Consumer, another: Consumer?)
    /// Ask the filter, and come back with its verdict.
    case judge(Filter, previous: State?)
  }

  /// What follows from a verdict.
  enum Verdict: Sendable {
    /// The state is to be delivered: to `waiting`, or to the call that asked; and `another` is to try.
    case deliver(waiting: Consumer?, another: Consumer?)
    /// The state is dropped; a call that asked is to take again, one that waits goes on waiting.
    case goOn
    /// The subscription has ended meanwhile.
    case end([Consumer])
  }

  private var subscribers: [SubscriptionID: Subscriber<State, Consumer, Filter>] = [:]
  private var backlog = Backlog<State>(next: 0)
  private var lastID: UInt64 = 0
  private(set) var isFinished = false
  /// Those who wait for the next state; some may have left.
  private var waiting: [SubscriptionID] = []
  /// Those who keep the oldest and have room, which the next state goes to; some may have left.
  private var filling: [SubscriptionID] = []
  /// How many subscribers keep so many of the newest.
  private var newest: [Int: Int] = [:]
  /// How many of those have not taken all.
  private var newestBehind = 0
  private var startedCount = 0
  /// What nobody needs any more.
  private var gone: [State] = []

  var isEmpty: Bool { subscribers.isEmpty }
  /// How many states are kept for those who are behind, each once.
  var backlogCount: Int { backlog.count }

  /// What became of the states each subscriber was offered, the first to subscribe first.
  var accounts: [SubscriptionAccount] {
    subscribers.sorted { $0.key < $1.key }.map { $0.value.account(upTo: backlog.next) }
  }

  /// Takes out what is to be let go after the lock: a state's end may run code of the user's.
  mutating func garbage() -> [State] {
    gone += backlog.trimmed(keepingNewest: newestBehind > 0 ? newest.keys.max() ?? 0 : 0)
    defer { gone = [] }
    return gone
  }

  // MARK: Coming and going

  /// Makes a place for a subscriber, which gets nothing before it is started.
  mutating func reserve(_ buffering: Buffering, filter: Filter?) -> SubscriptionID {
    lastID += 1
    let id = SubscriptionID(number: lastID)
    subscribers[id] = Subscriber(buffering: buffering, filter: filter)
    return id
  }

  /// From here on it is offered each state, this one first; `next` is the revision of the one that follows.
  ///
  /// Returns a call of `next` that waited for this, and is to take again.
  mutating func start(_ id: SubscriptionID, at state: State, next: UInt64) -> Consumer? {
    guard let subscriber = subscribers[id] else { return nil }
    if startedCount == 0 { backlog.restart(at: next) }
    startedCount += 1
    subscribers[id]?.start(at: state, next: next)
    switch subscriber.buffering {
    case .unbounded: backlog.addCursor()
    case .newest(let count): newest[count, default: 0] += 1
    case .oldest: fillIfThereIsRoom(id)
    }
    subscribers[id]?.isTaken = false
    return subscribers[id]?.parked.take()
  }

  /// Forgets a subscriber; returns it, to be let go after the lock, and its consumers to be told.
  mutating func leave(_ id: SubscriptionID) -> Subscriber<State, Consumer, Filter>? {
    guard let subscriber = subscribers.removeValue(forKey: id) else { return nil }
    if subscribers.isEmpty { (waiting, filling) = ([], []) }
    guard let position = subscriber.position else { return subscriber }
    startedCount -= 1
    switch subscriber.buffering {
    case .unbounded:
      backlog.removeCursor(at: position)
    case .newest(let count):
      let others = (newest[count] ?? 1) - 1
      newest[count] = others == 0 ? nil : others
      if position < backlog.next { newestBehind -= 1 }
    case .oldest:
      break
    }
    return subscriber
  }

  /// No state comes after those that are due; returns the calls of `next` for which none is.
  mutating func finish() -> [Consumer] {
    isFinished = true
    var ended: [Consumer] = []
    for id in subscribers.keys.sorted() where subscribers[id]?.parked != nil && subscribers[id]?.judging == nil {
      ended += subscribers[id]?.release() ?? []
    }
    return ended
  }

  // MARK: Publishing

  /// A state was committed; returns who waits for one, each of whom is to be offered it.
  mutating func publish(_ state: State) -> [SubscriptionID] {
    guard startedCount > 0 else { return [] }
    backlog.append(state)
    newestBehind = newest.values.reduce(0, +)
    filling = filling.filter { keep(state, $0) }
    defer { waiting = [] }
    return waiting
  }

  /// Gives a state to one who keeps the oldest; returns whether there is room for another.
  private mutating func keep(_ state: State, _ id: SubscriptionID) -> Bool {
    guard var subscriber = subscribers.removeValue(forKey: id), case .oldest(let count) = subscriber.buffering else {
      return false
    }
    // Who waits has taken everything, and will be offered this one.
    if subscriber.parked == nil {
      subscriber.own.append(state)
      subscriber.position = backlog.next
      subscriber.isFilling = subscriber.own.count < count
    }
    subscribers[id] = subscriber
    return subscriber.isFilling
  }

  /// Those who have no filter, and those who have.
  func partition(_ ids: [SubscriptionID]) -> (plain: [SubscriptionID], filtered: [SubscriptionID]) {
    (ids.filter { subscribers[$0]?.filter == nil }, ids.filter { subscribers[$0]?.filter != nil })
  }

  /// Offers a waiting subscriber the state that was just published; nil when it waits for it no more.
  mutating func offer(_ id: SubscriptionID, _ state: State) -> Offer? {
    guard let subscriber = subscribers[id], subscriber.parked != nil, subscriber.judging == nil,
      let position = subscriber.position, position + 1 == backlog.next
    else { return nil }
    advance(id)
    if let filter = subscriber.filter {
      subscribers[id]?.judging = state
      return .judge(filter, previous: subscriber.accepted)
    }
    guard let consumer = subscribers[id]?.parked.take() else { return nil }
    return .deliver(consumer, another: subscribers[id]?.endCall())
  }

  // MARK: Taking

  /// What a call of `next` gets now.
  mutating func take(_ id: SubscriptionID) -> Taking {
    guard let subscriber = subscribers[id] else { return .end }
    if subscriber.isTaken { return .queue }
    guard let state = takeState(id) else {
      if isFinished && subscriber.position != nil { return .end }
      subscribers[id]?.isTaken = true
      return .park
    }
    guard let filter = subscriber.filter else {
      subscribers[id]?.received += 1
      return .deliver(state)
    }
    subscribers[id]?.isTaken = true
    subscribers[id]?.judging = state
    return .judge(filter, previous: subscriber.accepted, new: state)
  }

  /// Parks a call of `next` that was told to; false when it is to take again.
  mutating func park(_ id: SubscriptionID, _ consumer: Consumer) -> Bool {
    guard let subscriber = subscribers[id] else { return false }
    if subscriber.position != nil, isFinished || subscriber.hasState(before: backlog.next) {
      subscribers[id]?.isTaken = false
      return false
    }
    subscribers[id]?.parked = consumer
    if subscriber.position != nil { waiting.append(id) }
    return true
  }

  /// Lets a call of `next` wait for the one that is under way; false when it is to take again.
  mutating func queue(_ id: SubscriptionID, _ consumer: Consumer) -> Bool {
    guard subscribers[id]?.isTaken == true else { return false }
    subscribers[id]?.others.append(consumer)
    return true
  }

  /// The filter's verdict on the state that it was asked about.
  mutating func judged(_ id: SubscriptionID, isAccepted: Bool) -> Verdict {
    guard let state = subscribers[id]?.judging else { return .end([]) }
    subscribers[id]?.judging = nil
    if isAccepted {
      if let before = subscribers[id]?.accepted { gone.append(before) }
      subscribers[id]?.accepted = state
      return .deliver(waiting: subscribers[id]?.parked.take(), another: subscribers[id]?.endCall())
    }
    gone.append(state)
    subscribers[id]?.refused += 1
    guard subscribers[id]?.parked != nil else {
      subscribers[id]?.isTaken = false
      return .goOn
    }
    if isFinished { return .end(subscribers[id]?.release() ?? []) }
    waiting.append(id)
    return .goOn
  }

  // MARK: Steps

  private mutating func takeState(_ id: SubscriptionID) -> State? {
    makeRoom(id)
    if let state = subscribers[id]?.own.popFirst() {
      fillIfThereIsRoom(id)
      return state
    }
    guard let subscriber = subscribers[id], let position = subscriber.position,
      subscriber.hasState(before: backlog.next)
    else { return nil }
    advance(id)
    return backlog.state(at: position)
  }

  /// Drops what the policy drops.
  private mutating func makeRoom(_ id: SubscriptionID) {
    guard let subscriber = subscribers[id], let position = subscriber.position else { return }
    switch subscriber.buffering {
    case .unbounded:
      break
    case .newest(let count):
      var excess = subscriber.own.count + Int(backlog.next - position) - count
      guard excess > 0 else { return }
      subscribers[id]?.dropped += excess
      if let first = subscribers[id]?.own.popFirst() {
        gone.append(first)
        excess -= 1
      }
      subscribers[id]?.position = position + UInt64(excess)
    case .oldest:
      // While it was full, all were dropped.
      subscribers[id]?.dropped += Int(backlog.next - position)
      subscribers[id]?.position = backlog.next
    }
  }

  private mutating func fillIfThereIsRoom(_ id: SubscriptionID) {
    guard let subscriber = subscribers[id], case .oldest(let count) = subscriber.buffering, !subscriber.isFilling,
      subscriber.own.count < count
    else { return }
    subscribers[id]?.isFilling = true
    filling.append(id)
  }

  /// Moves a subscriber behind the state at its position.
  private mutating func advance(_ id: SubscriptionID) {
    guard let subscriber = subscribers[id], let position = subscriber.position else { return }
    switch subscriber.buffering {
    case .unbounded: backlog.advanceCursor(from: position)
    case .newest: if position + 1 == backlog.next { newestBehind -= 1 }
    case .oldest: break
    }
    subscribers[id]?.position = position + 1
  }
}

extension Subscribers: Equatable, Hashable where State: Hashable, Consumer: Hashable, Filter: Hashable {}
