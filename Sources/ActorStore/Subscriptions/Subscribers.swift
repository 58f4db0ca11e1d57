/// Who watches, and how far each has come: the logic alone.
///
/// No lock, no continuation, and no filter is called here: each method is one atomic step and returns what is to be
/// done. A `Consumer` stands for a call of `next` that waits, a `Filter` for what is asked before an item is delivered.
///
/// Whoever commits publishes, in its turn, so there is one publication at a time: `publish`, whose cost does not grow
/// with those who are behind, and then `offer` for each who waits and has a filter. Items are delivered in one way only:
/// by `take`. Who waits is woken to take again, so whoever is cancelled on the way has got nothing.
struct Subscribers<Item: Sendable, Consumer: Sendable, Filter: Sendable>: Sendable {
  /// What a call of `next` is to do.
  enum Taking: Sendable {
    case deliver(Item)
    /// Ask the filter, and come back with its verdict.
    case judge(Filter, previous: Item?, new: Item)
    /// Wait until there is something to do.
    case wait
    case end
  }

  /// Who is concerned by a new item.
  struct Publication: Sendable {
    /// To be woken.
    var woken: [Consumer] = []
    /// To be offered the item one by one, as they wait for what their filters accept.
    var filtered: [SubscriptionID] = []
    /// What nobody needs any more.
    var gone: [Item] = []
  }

  /// What a filter is to be asked.
  struct Question: Sendable {
    let filter: Filter
    let previous: Item?
    let new: Item
  }

  /// Their records, read and changed where they are: a copy of one costs more than a step.
  private var places: [Subscriber<Item, Consumer, Filter>] = []
  private var freePlaces: [Int] = []
  private var backlog = Backlog<Item>()
  private var lastNumber: UInt64 = 0
  private(set) var isFinished = false
  /// The places of the subscribers that wait for the next item.
  private var listed = SparseSet()
  /// The places of the subscribers that keep the oldest items and have room for the next one.
  private var filling = SparseSet()
  private var newestKeepers = NewestDemand()
  private var startedCount = 0
  /// What nobody needs any more.
  private var gone: [Item] = []

  /// How many there are.
  var count: Int { places.count - freePlaces.count }
  var waitingCount: Int { places.count(where: \.isWaiting) }
  /// How many items are kept for those who are behind, each once.
  var backlogCount: Int { backlog.count }
  /// The number of entries that the next commit visits.
  var noticeCount: Int { listed.count + filling.count }
  /// The number of places in memory, taken or free.
  var storedPlaces: Int { places.count }

  /// What became of the items each subscriber was offered, the first to subscribe first.
  var accounts: [StoreDiagnostics.Subscriber] {
    places.filter { !$0.isVacant }.sorted { $0.number < $1.number }.map { $0.account(upTo: backlog.next) }
  }

  /// Takes out what is to be let go after the lock: an item's end may run code of the user's.
  mutating func garbage() -> [Item] {
    backlog.trim(keepingNewest: newestKeepers.needed, into: &gone)
    if gone.isEmpty { return [] }
    defer { gone = [] }
    return gone
  }

  // MARK: Coming and going

  /// Makes a place for a subscriber, which gets nothing before it is started.
  mutating func reserve(_ buffering: Buffering, filter: Filter?) -> SubscriptionID {
    lastNumber += 1
    let subscriber = Subscriber<Item, Consumer, Filter>(number: lastNumber, buffering: buffering, filter: filter)
    guard let place = freePlaces.popLast() else {
      places.append(subscriber)
      return SubscriptionID(place: places.count - 1, number: lastNumber)
    }
    places[place] = subscriber
    return SubscriptionID(place: place, number: lastNumber)
  }

  private func isHere(_ id: SubscriptionID) -> Bool { id.place < places.count && places[id.place].number == id.number }

  /// From here on it is offered each item, this one first; returns who waited for this.
  mutating func start(_ id: SubscriptionID, with item: Item) -> [Consumer] {
    guard isHere(id) else { return [] }
    startedCount += 1
    places[id.place].start(with: item, next: backlog.next)
    switch places[id.place].buffering {
    case .unbounded:
      backlog.addCursor()
    case .newest(let count):
      newestKeepers.join(count)
    case .oldest:
      fillIfThereIsRoom(id.place)
    }
    return places[id.place].wake()
  }

  /// Forgets a subscriber; returns it, to be let go after the lock, and with it who waits and is to be told.
  mutating func leave(_ id: SubscriptionID) -> Subscriber<Item, Consumer, Filter>? {
    guard isHere(id) else { return nil }
    let subscriber = places[id.place]
    places[id.place] = .vacant
    freePlaces.append(id.place)
    // Not at the next commit, which may never come.
    listed.remove(id.place)
    filling.remove(id.place)
    if count == 0 { (places, freePlaces, listed, filling) = ([], [], SparseSet(), SparseSet()) }
    guard subscriber.isStarted else { return subscriber }
    startedCount -= 1
    switch subscriber.buffering {
    case .unbounded:
      backlog.removeCursor(at: subscriber.position)
    case .newest(let count):
      newestKeepers.leave(count, isBehind: subscriber.position < backlog.next)
    case .oldest:
      break
    }
    return subscriber
  }

  /// No item comes after those that are due; returns all who wait, to see for themselves.
  mutating func finish() -> [Consumer] {
    isFinished = true
    var woken: [Consumer] = []
    for place in places.indices { places[place].wake(into: &woken) }
    return woken
  }

  // MARK: Publishing

  /// There is a new item.
  mutating func publish(_ item: () -> Item) -> Publication {
    guard startedCount > 0 else { return Publication() }
    let item = item()
    backlog.append(item)
    newestKeepers.fallBehind()
    fill(with: item)
    var publication = Publication()
    for place in listed.members {
      if places[place].filter == nil {
        places[place].wake(into: &publication.woken)
      } else {
        publication.filtered.append(SubscriptionID(place: place, number: places[place].number))
      }
    }
    listed.removeAll()
    publication.gone = garbage()
    return publication
  }

  /// Gives an item to the subscribers that keep the oldest items and have room.
  private mutating func fill(with item: Item) {
    for index in filling.members.indices.reversed() {
      let place = filling.members[index]
      places[place].keep(item, next: backlog.next)
      if !places[place].hasRoom { filling.remove(place) }
    }
  }

  /// What to ask the filter of one who waits, about the item that was just published; nil when nothing is to be asked.
  mutating func offer(_ id: SubscriptionID) -> Question? {
    guard isHere(id), places[id.place].isWaiting, places[id.place].judged == nil,
      let filter = places[id.place].filter, let item = takeItem(id)
    else { return nil }
    places[id.place].judged = item
    return Question(filter: filter, previous: places[id.place].accepted, new: item)
  }

  /// The filter's verdict on an item that was offered; returns whom to wake.
  mutating func judgedOffer(_ id: SubscriptionID, isAccepted: Bool) -> [Consumer] {
    guard let item = judged(id, isAccepted: isAccepted) else { return [] }
    if isAccepted {
      places[id.place].ready = item
    } else if !isFinished {
      list(id)
      return []
    }
    return places[id.place].wake()
  }

  // MARK: Taking

  /// Whether a call of `next` has something to do.
  private func canTake(_ id: SubscriptionID) -> Bool {
    if places[id.place].ready != nil { return true }
    if places[id.place].judged != nil || !places[id.place].isStarted { return false }
    return isFinished || places[id.place].hasItem(before: backlog.next)
  }

  /// What a call of `next` gets now.
  mutating func take(_ id: SubscriptionID) -> Taking {
    guard isHere(id) else { return .end }
    guard canTake(id) else { return .wait }
    if let ready = places[id.place].ready.take() { return .deliver(received(ready, id)) }
    guard let item = takeItem(id) else { return .end }
    guard let filter = places[id.place].filter else { return .deliver(received(item, id)) }
    places[id.place].judged = item
    return .judge(filter, previous: places[id.place].accepted, new: item)
  }

  /// Lets a call of `next` wait that was told to; false when it is to take again.
  mutating func park(_ id: SubscriptionID, _ consumer: Consumer) -> Bool {
    guard isHere(id), !canTake(id) else { return false }
    places[id.place].wait(consumer)
    // While an item is judged, the verdict decides how those who wait go on.
    if places[id.place].judged == nil { list(id) }
    return true
  }

  /// The filter's verdict on an item that a call of `next` took.
  ///
  /// Returns what is delivered to that call, which takes again when it is nothing; and others to wake.
  mutating func judgedTaking(_ id: SubscriptionID, isAccepted: Bool) -> (delivered: Item?, woken: [Consumer]) {
    guard let item = judged(id, isAccepted: isAccepted) else { return (nil, []) }
    return (isAccepted ? received(item, id) : nil, places[id.place].wake())
  }

  // MARK: Steps

  /// Counts an item that is delivered.
  private mutating func received(_ item: Item, _ id: SubscriptionID) -> Item {
    places[id.place].received += 1
    return item
  }

  /// Notes a verdict; returns what it was about, nil when the subscription has ended meanwhile.
  private mutating func judged(_ id: SubscriptionID, isAccepted: Bool) -> Item? {
    guard isHere(id), let item = places[id.place].judged.take() else { return nil }
    if isAccepted {
      if let before = places[id.place].accepted { gone.append(before) }
      places[id.place].accepted = item
    } else {
      gone.append(item)
      places[id.place].refused += 1
    }
    return item
  }

  /// Makes one who waits hear of the next item.
  private mutating func list(_ id: SubscriptionID) {
    if places[id.place].isStarted { listed.insert(id.place) }
  }

  private mutating func takeItem(_ id: SubscriptionID) -> Item? {
    makeRoom(id)
    if let initial = places[id.place].initial.take() {
      fillIfThereIsRoom(id.place)
      return initial
    }
    guard places[id.place].hasItem(before: backlog.next) else { return nil }
    let position = places[id.place].position
    switch places[id.place].buffering {
    case .unbounded:
      backlog.advanceCursor(from: position)
    case .newest:
      if position + 1 == backlog.next { newestKeepers.catchUp() }
    case .oldest:
      let item = places[id.place].oldest.popFirst()
      fillIfThereIsRoom(id.place)
      return item
    }
    places[id.place].position = position + 1
    return backlog.item(at: position)
  }

  /// Drops what the policy drops.
  private mutating func makeRoom(_ id: SubscriptionID) {
    let behind = Int(backlog.next - places[id.place].position)
    switch places[id.place].buffering {
    case .unbounded:
      break
    case .newest(let count):
      var excess = (places[id.place].initial == nil ? 0 : 1) + behind - count
      guard excess > 0 else { return }
      places[id.place].dropped += excess
      if let initial = places[id.place].initial.take() {
        gone.append(initial)
        excess -= 1
      }
      places[id.place].position += UInt64(excess)
    case .oldest:
      // While it was full, all were dropped.
      places[id.place].dropped += behind
      places[id.place].position = backlog.next
    }
  }

  private mutating func fillIfThereIsRoom(_ place: Int) {
    if places[place].hasRoom { filling.insert(place) }
  }
}

extension Subscribers: Equatable, Hashable where Item: Hashable, Consumer: Hashable, Filter: Hashable {}
