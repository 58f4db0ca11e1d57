/// The subscribers of one series of values, and the progress of each, as pure logic.
///
/// It has no lock and no continuation, and calls no filter. Each method is one atomic step and returns the caller's
/// next step. A `Consumer` represents a waiting call to `next`. A `Filter` represents a filter that must accept an item
/// before its delivery.
///
/// The committing task publishes in its turn, so there is one publication at a time. First, it calls `publish`, whose
/// cost does not grow with the number of subscribers that are behind, except for those that keep the oldest items and
/// still have room. Next, it calls `offer` for each waiting subscriber with a filter. Only `take` delivers items. A
/// waiting consumer wakes and takes again, so a consumer that is canceled before then has not received anything.
struct BroadcastStateMachine<Item: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  /// The next step of a call to `next`.
  enum Taking: Sendable {
    case taken(Taken<Item>)
    /// Ask the filter, and report its verdict.
    case judge(Filter, previous: Item?, new: Item)
  }

  /// The consequences of a new item.
  struct Publication: Sendable {
    /// Consumers to resume.
    var woken: [Consumer] = []
    /// Waiting subscribers with a filter, to offer the item to one by one.
    var filtered: [SubscriptionID] = []
    /// Items to release outside the lock.
    var unused: [Item] = []
  }

  /// A question for a filter.
  struct Question: Sendable {
    let filter: Filter
    let previous: Item?
    let new: Item
  }

  /// The subscribers by slot, read and changed in place, because copying one costs more than a step.
  private var slots: [Subscriber<Item, Consumer, Filter>] = []
  private var freeSlots: [Int] = []
  private var backlog = Backlog<Item>()
  private var lastNumber: UInt64 = 0
  private(set) var isFinished = false
  /// The slots of the subscribers that wait for the next item.
  private var listed = SparseSet()
  /// The slots of the subscribers that keep the oldest items and have room for the next one.
  private var filling = SparseSet()
  /// The slots of the subscribers that running groups read and that have yet to end.
  private var grouped = SparseSet()
  private var newestDemand = NewestDemand()
  private var startedCount = 0
  /// Items that no subscriber needs.
  private var unused: [Item] = []

  /// The number of subscribers.
  var count: Int { slots.count - freeSlots.count }
  var waitingCount: Int { slots.count(where: \.isWaiting) }
  /// The number of items kept for subscribers that are behind, each counted once.
  var backlogCount: Int { backlog.count }
  /// The number of subscribers that the next commit visits.
  var noticeCount: Int { listed.count + filling.count }
  /// The number of slots in memory, taken or free.
  var storedSlots: Int { slots.count }

  /// The counts of each subscriber, in the order of subscription.
  var counts: [SubscriberCounts] {
    slots.filter { !$0.isVacant }.sorted { $0.number < $1.number }.map { $0.counts(upTo: backlog.next) }
  }

  /// Takes out the items to release outside the lock, because a `deinit` may run user code.
  mutating func takeUnused() -> [Item] {
    backlog.trim(keepingNewest: newestDemand.needed, into: &unused)
    if unused.isEmpty { return [] }
    defer { unused = [] }
    return unused
  }

  // MARK: Joining and leaving

  /// Adds a subscriber, which receives nothing until it is started.
  mutating func reserve(_ buffering: Buffering, filter: Filter?, isInGroup: Bool = false) -> SubscriptionID {
    lastNumber += 1
    let subscriber = Subscriber<Item, Consumer, Filter>(number: lastNumber, buffering: buffering, filter: filter)
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(subscriber) } else { slots[slot] = subscriber }
    if isInGroup { grouped.insert(slot) }
    return SubscriptionID(slot: slot, number: lastNumber)
  }

  /// Whether a subscriber has not left.
  func isHere(_ id: SubscriptionID) -> Bool { id.slot < slots.count && slots[id.slot].number == id.number }

  /// Offers a subscriber this item and all later ones.
  ///
  /// Returns the consumers that waited for it.
  mutating func start(_ id: SubscriptionID, with item: Item) -> [Consumer] {
    guard isHere(id) else { return [] }
    startedCount += 1
    slots[id.slot].start(with: item, next: backlog.next)
    switch slots[id.slot].buffering {
    case .unbounded:
      backlog.addCursor()
    case .newest(let count):
      newestDemand.join(count)
    case .oldest:
      fillIfThereIsRoom(id.slot)
    }
    return slots[id.slot].wake()
  }

  /// Removes a subscriber and returns it.
  ///
  /// Outside the lock, the caller resumes its consumers and releases it.
  mutating func leave(_ id: SubscriptionID) -> Subscriber<Item, Consumer, Filter>? {
    guard isHere(id) else { return nil }
    let subscriber = slots[id.slot]
    slots[id.slot] = .vacant
    freeSlots.append(id.slot)
    // The next commit would also remove the slot, but there may be no other commit.
    listed.remove(id.slot)
    filling.remove(id.slot)
    grouped.remove(id.slot)
    if count == 0 { (slots, freeSlots, listed, filling, grouped) = ([], [], SparseSet(), SparseSet(), SparseSet()) }
    guard subscriber.isStarted else { return subscriber }
    startedCount -= 1
    switch subscriber.buffering {
    case .unbounded:
      backlog.removeCursor(at: subscriber.position)
    case .newest(let count):
      newestDemand.leave(count, isBehind: subscriber.position < backlog.next)
    case .oldest:
      break
    }
    return subscriber
  }

  /// Ends the series after its existing items.
  ///
  /// Returns the waiting consumers, so that they try again.
  ///
  /// - Parameter groupsOnly: Whether to end the series only for subscribers in running groups.
  mutating func finish(groupsOnly: Bool = false) -> [Consumer] {
    var woken: [Consumer] = []
    if groupsOnly {
      for slot in grouped.members {
        slots[slot].isEnding = true
        slots[slot].wake(into: &woken)
      }
      grouped = SparseSet()
    } else {
      isFinished = true
      for slot in slots.indices { slots[slot].wake(into: &woken) }
    }
    return woken
  }

  // MARK: Publishing

  /// Adds a new item, which is created only if there are subscribers.
  mutating func publish(_ item: () -> Item) -> Publication {
    guard startedCount > 0 else { return Publication() }
    let item = item()
    backlog.append(item)
    newestDemand.fallBehind()
    fill(with: item)
    var publication = Publication()
    for slot in listed.members {
      if slots[slot].filter == nil {
        slots[slot].wake(into: &publication.woken)
      } else {
        publication.filtered.append(SubscriptionID(slot: slot, number: slots[slot].number))
      }
    }
    listed.removeAll()
    publication.unused = takeUnused()
    return publication
  }

  /// Gives an item to the subscribers that keep the oldest items and have room.
  private mutating func fill(with item: Item) {
    for index in filling.members.indices.reversed() {
      let slot = filling.members[index]
      slots[slot].keep(item, next: backlog.next)
      if !slots[slot].hasRoom { filling.remove(slot) }
    }
  }

  /// The question for a waiting subscriber's filter about the item just published, or `nil` if there is none.
  mutating func offer(_ id: SubscriptionID) -> Question? {
    guard isHere(id), slots[id.slot].isWaiting, slots[id.slot].judged == nil,
      let filter = slots[id.slot].filter, let item = takeItem(id)
    else { return nil }
    slots[id.slot].judged = item
    return Question(filter: filter, previous: slots[id.slot].accepted, new: item)
  }

  /// Records the filter's verdict on an offered item, and returns the consumers to resume.
  mutating func judgedOffer(_ id: SubscriptionID, isAccepted: Bool) -> [Consumer] {
    guard let item = judged(id, isAccepted: isAccepted) else { return [] }
    if isAccepted {
      slots[id.slot].ready = item
    } else if !isFinished && !slots[id.slot].isEnding {
      list(id)
      return []
    }
    return slots[id.slot].wake()
  }

  // MARK: Taking

  /// Whether a call to `next` can continue without waiting.
  private func canTake(_ id: SubscriptionID) -> Bool {
    if slots[id.slot].ready != nil { return true }
    if slots[id.slot].judged != nil || !slots[id.slot].isStarted { return false }
    return isFinished || slots[id.slot].isEnding || slots[id.slot].hasItem(before: backlog.next)
  }

  /// Takes the next item for a call to `next`.
  mutating func take(_ id: SubscriptionID) -> Taking {
    guard isHere(id) else { return .taken(.end) }
    guard canTake(id) else { return .taken(.nothing) }
    if let ready = slots[id.slot].ready.take() { return .taken(.value(received(ready, id))) }
    guard let item = takeItem(id) else { return .taken(.end) }
    guard let filter = slots[id.slot].filter else { return .taken(.value(received(item, id))) }
    slots[id.slot].judged = item
    return .judge(filter, previous: slots[id.slot].accepted, new: item)
  }

  /// Parks a consumer that found nothing, or returns `false` if it must take again.
  mutating func park(_ id: SubscriptionID, _ consumer: Consumer) -> Bool {
    guard isHere(id), !canTake(id) else { return false }
    slots[id.slot].wait(consumer)
    // While a filter judges an item, its verdict decides how the waiting consumers continue.
    if slots[id.slot].judged == nil { list(id) }
    return true
  }

  /// Records the filter's verdict on an item that a call to `next` took.
  ///
  /// Returns the result for that call, and other consumers to resume.
  mutating func judgedTaking(_ id: SubscriptionID, isAccepted: Bool) -> (result: Taken<Item>, woken: [Consumer]) {
    guard let item = judged(id, isAccepted: isAccepted) else { return (.refused, []) }
    return (isAccepted ? .value(received(item, id)) : .refused, slots[id.slot].wake())
  }

  // MARK: Steps

  /// Counts a delivered item.
  private mutating func received(_ item: Item, _ id: SubscriptionID) -> Item {
    slots[id.slot].received += 1
    return item
  }

  /// Records a verdict and returns its item, or `nil` if the subscription has ended in the meantime.
  private mutating func judged(_ id: SubscriptionID, isAccepted: Bool) -> Item? {
    guard isHere(id), let item = slots[id.slot].judged.take() else { return nil }
    if isAccepted {
      if let before = slots[id.slot].accepted { unused.append(before) }
      slots[id.slot].accepted = item
    } else {
      unused.append(item)
      slots[id.slot].refused += 1
    }
    return item
  }

  /// Lists a waiting subscriber for the next item.
  private mutating func list(_ id: SubscriptionID) {
    if slots[id.slot].isStarted { listed.insert(id.slot) }
  }

  private mutating func takeItem(_ id: SubscriptionID) -> Item? {
    makeRoom(id)
    if let initial = slots[id.slot].initial.take() {
      fillIfThereIsRoom(id.slot)
      return initial
    }
    guard slots[id.slot].hasItem(before: backlog.next) else { return nil }
    let position = slots[id.slot].position
    switch slots[id.slot].buffering {
    case .unbounded:
      backlog.advanceCursor(from: position)
    case .newest:
      if position + 1 == backlog.next { newestDemand.catchUp() }
    case .oldest:
      let item = slots[id.slot].oldest.popFirst()
      fillIfThereIsRoom(id.slot)
      return item
    }
    slots[id.slot].position = position + 1
    return backlog.item(at: position)
  }

  /// Drops items according to the buffering policy.
  private mutating func makeRoom(_ id: SubscriptionID) {
    let behind = Int(backlog.next - slots[id.slot].position)
    switch slots[id.slot].buffering {
    case .unbounded:
      break
    case .newest(let count):
      var excess = (slots[id.slot].initial == nil ? 0 : 1) + behind - count
      guard excess > 0 else { return }
      slots[id.slot].dropped += excess
      if let initial = slots[id.slot].initial.take() {
        unused.append(initial)
        excess -= 1
      }
      slots[id.slot].position += UInt64(excess)
    case .oldest:
      // The subscriber dropped all items that arrived while its buffer was full.
      slots[id.slot].dropped += behind
      slots[id.slot].position = backlog.next
    }
  }

  private mutating func fillIfThereIsRoom(_ slot: Int) {
    if slots[slot].hasRoom { filling.insert(slot) }
  }
}

extension BroadcastStateMachine: Equatable, Hashable where Item: Hashable, Consumer: Hashable, Filter: Hashable {}
