/// Identifies a subscriber by a reusable slot and a unique number.
struct SubscriptionID: Hashable, Sendable {
  let slot: Int
  let number: UInt64
}

/// The numbers of items that were offered to one subscriber, and that it received, dropped, and refused.
struct SubscriberCounts: Hashable, Sendable {
  let offered: Int
  let received: Int
  let dropped: Int
  let refused: Int
}

/// One subscriber of a broadcast.
struct Subscriber<Item: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  let number: UInt64
  let buffering: Buffering
  let filter: Filter?
  /// Whether the stream ends after its remaining items.
  var isEnding = false
  /// The number of the item after the one it started with, or `nil` until it starts.
  private(set) var startedAt: UInt64?
  /// The number of the next item to consider.
  var position: UInt64 = 0
  /// The item that it starts with.
  var initial: Item?
  /// The items that it keeps, if it buffers the oldest.
  var oldest = Fifo<Item>()
  /// The item that its filter is judging.
  var judged: Item?
  /// The item that its filter accepted last.
  var accepted: Item?
  /// An accepted item for a call to `next` that waited.
  var ready: Item?
  /// The first of the calls to `next` that wait to try again.
  ///
  /// There is hardly ever more than one.
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

  /// The contents of a free slot.
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

  /// Takes out all waiting consumers, so that they try again.
  mutating func wake() -> [Consumer] {
    var woken: [Consumer] = []
    wake(into: &woken)
    return woken
  }

  /// Appends all waiting consumers to an array.
  mutating func wake(into woken: inout [Consumer]) {
    if let first = waiting.take() { woken.append(first) }
    if !alsoWaiting.isEmpty {
      woken += alsoWaiting
      alsoWaiting = []
    }
  }

  /// Whether it buffers the oldest items and has room for another.
  var hasRoom: Bool {
    guard case .oldest(let count) = buffering else { return false }
    return oldest.count + (initial == nil ? 0 : 1) < count
  }

  /// Keeps the newest item, after it has kept or counted all earlier ones.
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

  /// The counts of its items, given the number that the next one will have.
  func counts(upTo next: UInt64) -> SubscriberCounts {
    SubscriberCounts(
      offered: startedAt.map { 1 + Int(next - $0) } ?? 0, received: received, dropped: dropped, refused: refused)
  }
}

extension Subscriber: Equatable, Hashable where Item: Hashable, Consumer: Hashable, Filter: Hashable {}
