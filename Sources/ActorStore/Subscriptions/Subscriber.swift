/// Where a subscriber stands among its like; a place is given again, a number never.
struct SubscriptionID: Hashable, Sendable {
  let place: Int
  let number: UInt64
}

/// One subscriber, as its broadcast knows it.
struct Subscriber<Item: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  let number: UInt64
  let buffering: Buffering
  let filter: Filter?
  /// The number of the item it looks at next; nil until it has started.
  private(set) var startedAt: UInt64?
  var position: UInt64 = 0
  /// What it starts with.
  var initial: Item?
  /// What it keeps, if it keeps the oldest.
  var oldest = Fifo<Item>()
  /// What its filter is being asked about.
  var judged: Item?
  /// What its filter last accepted.
  var accepted: Item?
  /// What was accepted for it while it waited.
  var ready: Item?
  /// Calls of `next` that wait to try again: hardly ever more than one.
  private var waiting: Consumer?
  private var alsoWaiting: [Consumer] = []
  var received = 0
  var dropped = 0
  var refused = 0

  init(number: UInt64, buffering: Buffering, filter: Filter?) {
    self.number = number
    self.buffering = buffering
    self.filter = filter
  }

  /// A place that is nobody's.
  static var vacant: Subscriber { Subscriber(number: 0, buffering: .unbounded, filter: nil) }

  var isVacant: Bool { number == 0 }
  var isStarted: Bool { startedAt != nil }
  var isWaiting: Bool { waiting != nil }

  mutating func start(with item: Item, next: UInt64) {
    initial = item
    position = next
    startedAt = next
  }

  mutating func wait(_ consumer: Consumer) {
    if waiting == nil { waiting = consumer } else { alsoWaiting.append(consumer) }
  }

  /// Everybody who waits is to try again.
  mutating func wake() -> [Consumer] {
    var woken: [Consumer] = []
    wake(into: &woken)
    return woken
  }

  /// The same, for several subscribers.
  mutating func wake(into woken: inout [Consumer]) {
    if let first = waiting.take() { woken.append(first) }
    if !alsoWaiting.isEmpty {
      woken += alsoWaiting
      alsoWaiting = []
    }
  }

  /// Whether it keeps the oldest, and fewer than it may.
  var hasRoom: Bool {
    guard case .oldest(let count) = buffering else { return false }
    return oldest.count + (initial == nil ? 0 : 1) < count
  }

  /// Keeps an item, as it has all until now.
  mutating func keep(_ item: Item, next: UInt64) {
    position = next
    oldest.append(item)
  }

  /// Whether there is an item to take, given the number that the next one will have.
  func hasItem(before next: UInt64) -> Bool {
    if initial != nil { return true }
    return switch buffering {
    case .unbounded, .newest: isStarted && position < next
    case .oldest: !oldest.isEmpty
    }
  }

  /// What became of what it was offered.
  func account(upTo next: UInt64) -> StoreDiagnostics.Subscriber {
    StoreDiagnostics.Subscriber(
      offered: startedAt.map { 1 + Int(next - $0) } ?? 0, received: received, dropped: dropped, refused: refused)
  }
}

extension Subscriber: Equatable, Hashable where Item: Hashable, Consumer: Hashable, Filter: Hashable {}
