import ActorStoreTesting

@testable import ActorStore

/// A consumer of one subscription, modeled as one atomic step of `BroadcastStateMachine` at a time.
struct VirtualWatcher: Hashable {
  enum Step: Hashable {
    case subscribe
    case take
    case judge(Int)
    case park
    case parked
    case done
  }

  let buffering: Buffering
  /// The number whose multiples the filter accepts, or `nil` if there is no filter.
  var filter: Int?
  /// Whether it may be canceled at any moment.
  var canBeCancelled = false
  /// Whether it subscribes during an in-place edit, whose commit is then its first state.
  var isEarly = false
  var step = Step.subscribe
  var id: SubscriptionID?
  var startedAt: Int?
  var received: [Int] = []
  /// The states that its filter was asked about.
  var asked: [Int] = []
  var accepted: Int?
  var isCancelled = false
}

/// A publisher and several watchers, in one of the states that their steps can reach.
///
/// Each published state is its own revision.
struct VirtualWatchers: VirtualThreads {
  enum Publisher: Hashable {
    case commit
    case offer([SubscriptionID])
    case judge(SubscriptionID, accepts: Bool, rest: [SubscriptionID])
    case finish
    case done
  }

  enum Move {
    case publisher
    case watcher(Int)
    case cancel(Int)
  }

  var subscribers = BroadcastStateMachine<Int, Int, Int>()
  var watchers: [VirtualWatcher]
  let commits: Int
  var publisher = Publisher.commit
  var committed = 0
  var violation: String?

  init(_ watchers: [VirtualWatcher], commits: Int) {
    self.watchers = watchers
    self.commits = commits
  }

  var moves: [Move] {
    var moves: [Move] = publisher == .done ? [] : [.publisher]
    for (index, watcher) in watchers.enumerated() {
      if watcher.step != .parked && watcher.step != .done { moves.append(.watcher(index)) }
      if watcher.canBeCancelled && !watcher.isCancelled && watcher.id != nil && watcher.step != .done {
        moves.append(.cancel(index))
      }
    }
    return moves
  }

  var isFinished: Bool { publisher == .done && watchers.allSatisfy { $0.step == .done } }

  mutating func take(_ move: Move) {
    switch move {
    case .publisher: publish()
    case .watcher(let index): step(index)
    case .cancel(let index): cancel(index)
    }
    _ = subscribers.takeUnused()
    check()
  }

  // MARK: The publisher

  private mutating func publish() {
    switch publisher {
    case .commit:
      if committed == commits { return publisher = .finish }
      committed += 1
      let publication = subscribers.publish { committed }
      wake(publication.woken)
      for index in watchers.indices where watchers[index].id != nil && watchers[index].startedAt == nil { start(index) }
      offer(publication.filtered)
    case .offer(var rest):
      let id = rest.removeFirst()
      offer(rest)
      guard let question = subscribers.offer(id) else { return }
      if question.new != committed { violation = "offered \(question.new) after \(committed)" }
      ask(id, previous: question.previous, new: committed)
      publisher = .judge(id, accepts: committed % question.filter == 0, rest: rest)
    case .judge(let id, let accepts, let rest):
      offer(rest)
      let woken = subscribers.judgedOffer(id, isAccepted: accepts)
      if !accepts && !woken.isEmpty { violation = "a refused state woke a watcher" }
      wake(woken)
    case .finish:
      for index in watchers.indices where watchers[index].id != nil && watchers[index].startedAt == nil { start(index) }
      wake(subscribers.finish())
      publisher = .done
    case .done: violation = "a finished publisher took a step"
    }
  }

  private mutating func offer(_ ids: [SubscriptionID]) {
    publisher = ids.isEmpty ? .commit : .offer(ids)
  }

  private mutating func ask(_ id: SubscriptionID, previous: Int?, new: Int) {
    guard let index = watchers.firstIndex(where: { $0.id == id }) else { return violation = "asked an unknown filter" }
    if previous != watchers[index].accepted { violation = "`previous` is not the last accepted state" }
    watchers[index].asked.append(new)
    if new % (watchers[index].filter ?? 1) == 0 { watchers[index].accepted = new }
  }

  private mutating func wake(_ woken: [Int]) {
    for index in woken {
      if watchers[index].step != .parked { violation = "woke a watcher that was not parked" }
      watchers[index].step = .take
    }
  }

  // MARK: The watchers

  private mutating func start(_ index: Int) {
    guard let id = watchers[index].id else { return }
    watchers[index].startedAt = committed
    wake(subscribers.start(id, with: committed))
  }

  private mutating func step(_ index: Int) {
    let watcher = watchers[index]
    switch watcher.step {
    case .subscribe:
      let id = subscribers.reserve(watcher.buffering, filter: watcher.filter)
      watchers[index].id = id
      // After the end, no state is edited in place.
      if !watcher.isEarly || publisher == .finish || publisher == .done { start(index) }
      watchers[index].step = .take
    case .take:
      guard let id = watcher.id else { return }
      switch subscribers.take(id) {
      case .taken(.value(let item)): watchers[index].received.append(item)
      case .judge(_, let previous, let new):
        ask(id, previous: previous, new: new)
        watchers[index].step = .judge(new)
      case .taken(.nothing): watchers[index].step = .park
      case .taken(.end): watchers[index].step = .done
      case .taken(.refused): violation = "a state was refused without asking the filter"
      }
      if watcher.isCancelled && watchers[index].step != .done { violation = "did not end after it was canceled" }
    case .judge(let new):
      guard let id = watcher.id, let filter = watcher.filter else { return }
      watchers[index].step = .take
      let (result, woken) = subscribers.judgedTaking(id, isAccepted: new % filter == 0)
      if !woken.isEmpty { violation = "the verdict of a watcher woke another watcher" }
      if case .value(let delivered) = result { watchers[index].received.append(delivered) }
    case .park:
      guard let id = watcher.id else { return }
      watchers[index].step = subscribers.park(id, index) ? .parked : .take
    case .parked, .done: violation = "a waiting watcher took a step"
    }
  }

  private mutating func cancel(_ index: Int) {
    guard let id = watchers[index].id else { return }
    watchers[index].isCancelled = true
    guard var left = subscribers.leave(id) else { return }
    var woken: [Int] = []
    left.wake(into: &woken)
    wake(woken)
  }

  // MARK: Invariants

  private mutating func check() {
    for watcher in watchers {
      if zip(watcher.received, watcher.received.dropFirst()).contains(where: { $0 >= $1 }) {
        violation = "received a state twice or out of order: \(watcher.received)"
      }
      if zip(watcher.asked, watcher.asked.dropFirst()).contains(where: { $0 >= $1 }) {
        violation = "asked about a state twice or out of order: \(watcher.asked)"
      }
    }
    // Between two publications, no watcher waits while there is an item to take.
    if publisher == .commit || publisher == .done {
      for watcher in watchers where watcher.step == .parked {
        var next = subscribers
        if let id = watcher.id, case .taken(.nothing) = next.take(id) { continue }
        violation = "waits although there is an item to take"
      }
    }
    guard isFinished, violation == nil else { return }
    let accounts = subscribers.counts
    for watcher in watchers where !watcher.isCancelled {
      guard let started = watcher.startedAt, let id = watcher.id else { return violation = "was never started" }
      let offered = Array(started...commits)
      let accepted = offered.filter { $0 % (watcher.filter ?? 1) == 0 }
      switch watcher.buffering {
      case .unbounded:
        if watcher.received != accepted { violation = "received \(watcher.received), not \(accepted)" }
      case .newest:
        if accepted.last == commits, watcher.received.last != commits { violation = "the last state is missing" }
      case .oldest(let count):
        let first = offered.prefix(count).filter { $0 % (watcher.filter ?? 1) == 0 }
        if !watcher.received.starts(with: first) { violation = "one of the oldest states is missing" }
      }
      if watcher.filter != nil, watcher.received != watcher.asked.filter({ $0 % (watcher.filter ?? 1) == 0 }) {
        violation = "received a state that its filter has not accepted"
      }
      let account = accounts[watchers.filter { !$0.isCancelled && $0.id.map { $0.number < id.number } == true }.count]
      if account.offered != offered.count
        || account.offered != account.received + account.dropped + account.refused
        || account.received != watcher.received.count
      {
        violation = "\(account) of \(offered.count)"
      }
    }
    if subscribers.backlogCount > 0 { violation = "\(subscribers.backlogCount) states remain in the backlog" }
  }
}
