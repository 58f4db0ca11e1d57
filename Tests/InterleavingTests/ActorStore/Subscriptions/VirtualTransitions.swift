import ActorStoreTesting

@testable import ActorStore

/// A publisher, consumers of transitions, and a consumer of states, in one of the states that their steps can reach.
///
/// Each move is one step under a lock of `Store`, `TransitionSeries`, or `Broadcast`. A state is its own revision.
struct VirtualTransitions: VirtualThreads {
  /// A way to get a step wrong.
  enum Flaw: CaseIterable {
    case replacesTheStateAfterTheCommit
    case forgetsWhileAnotherHasJoined
    case startsASubscriberThatHasLeft
    case startsASubscriberThatHasLeftIfAnotherRemains
    case stopsWatchingWhileTheStateIsKept
  }

  struct Item: Hashable {
    let revision: Int
    let old: Int?
    let new: Int
  }

  struct Consumer: Hashable {
    enum Step: Hashable {
      case reserve
      case subscribe
      case take
      case parked
      case leave
      case done
    }

    /// Whether it leaves instead of taking all transitions.
    let leaves: Bool
    var step = Step.reserve
    var id: SubscriptionID?
    var received: [Item] = []
  }

  /// A consumer of states, which decides whether commits are published when it leaves.
  enum Other: Hashable {
    case subscribe
    case leave
    case stopWatching
    case done
  }

  enum Publisher: Hashable {
    case begin
    case commit
    /// Only for a flaw.
    case publish
    case answer
    case finish
    case done
  }

  enum Move {
    case publisher
    case consumer(Int)
    case leave(Int)
    case other
  }

  let flaw: Flaw?
  let commits: Int
  var subscribers = BroadcastStateMachine<Item, Int, Int>()
  var newest = NewestState<Int>()
  var isWatched = false
  /// The subscribers that the holder starts after its edit in place.
  var readers: [Int] = []
  var committed = 0
  var publisher = Publisher.begin
  var consumers: [Consumer]
  var other: Other
  var violation: String?

  /// - Parameter leaves: For each consumer, whether it leaves instead of taking all transitions.
  init(_ leaves: [Bool], hasOther: Bool, commits: Int, flaw: Flaw? = nil) {
    consumers = leaves.map { Consumer(leaves: $0) }
    other = hasOther ? .subscribe : .done
    self.commits = commits
    self.flaw = flaw
  }

  var moves: [Move] {
    var moves: [Move] = publisher == .done ? [] : [.publisher]
    if other != .done { moves.append(.other) }
    for (index, consumer) in consumers.enumerated() {
      if consumer.step != .parked && consumer.step != .done { moves.append(.consumer(index)) }
      if consumer.leaves && (consumer.step == .take || consumer.step == .parked) { moves.append(.leave(index)) }
    }
    return moves
  }

  var isFinished: Bool { publisher == .done && other == .done && consumers.allSatisfy { $0.step == .done } }

  mutating func take(_ move: Move) {
    switch move {
    case .publisher: publish()
    case .consumer(let index): step(index)
    case .leave(let index): leave(index)
    case .other: stepOther()
    }
    _ = subscribers.takeUnused()
    check()
  }

  private var isEmpty: Bool {
    let isKept = flaw != .stopsWatchingWhileTheStateIsKept && newest.box != nil
    return other != .leave && subscribers.count == 0 && !isKept
  }

  // MARK: The publisher

  private mutating func publish() {
    switch publisher {
    case .begin: publisher = committed == commits ? .finish : .commit
    case .commit:
      committed += 1
      if flaw == .replacesTheStateAfterTheCommit { return publisher = .publish }
      publishTransition()
    case .publish: publishTransition()
    case .answer:
      let readers = readers
      self.readers = []
      for index in readers { start(index) }
      publisher = .begin
    case .finish:
      wake(subscribers.finish())
      publisher = .done
    case .done: violation = "a finished publisher took a step"
    }
  }

  private mutating func publishTransition() {
    publisher = readers.isEmpty ? .begin : .answer
    guard isWatched, let (old, new) = newest.replace({ committed }) else { return }
    let item = Item(revision: committed, old: old, new: new)
    wake(subscribers.publish { item }.woken)
  }

  private mutating func wake(_ woken: [Int]) {
    for index in woken { consumers[index].step = .take }
  }

  private mutating func start(_ index: Int) {
    guard let id = consumers[index].id else { return violation = "started a consumer that has not subscribed" }
    switch flaw {
    case .startsASubscriberThatHasLeft: break
    case .startsASubscriberThatHasLeftIfAnotherRemains: if subscribers.count == 0 { return }
    default: if !subscribers.isHere(id) { return }
    }
    let state = newest.start { committed }
    wake(subscribers.start(id, with: Item(revision: committed, old: nil, new: state)))
  }

  // MARK: The consumers

  private mutating func step(_ index: Int) {
    let consumer = consumers[index]
    switch consumer.step {
    case .reserve:
      consumers[index].id = subscribers.reserve(.unbounded, filter: nil)
      consumers[index].step = .subscribe
    case .subscribe:
      isWatched = true
      // While the publisher is about to commit, it edits the state in place.
      if publisher == .commit { readers.append(index) } else { start(index) }
      consumers[index].step = .take
    case .take:
      guard let id = consumer.id else { return }
      switch subscribers.take(id) {
      case .taken(.value(let item)): consumers[index].received.append(item)
      case .taken(.nothing): consumers[index].step = subscribers.park(id, index) ? .parked : .take
      case .taken(.end): leave(index)
      case .taken(.refused), .judge: violation = "there is no filter"
      }
    case .leave:
      if subscribers.count == 0 || flaw == .forgetsWhileAnotherHasJoined { _ = newest.forget() }
      isWatched = !isEmpty
      consumers[index].step = .done
    case .parked, .done: violation = "a waiting consumer took a step"
    }
  }

  private mutating func leave(_ index: Int) {
    guard let id = consumers[index].id else { return }
    _ = subscribers.leave(id)
    consumers[index].step = .leave
  }

  private mutating func stepOther() {
    switch other {
    case .subscribe:
      isWatched = true
      other = .leave
    case .leave: other = .stopWatching
    case .stopWatching:
      isWatched = !isEmpty
      other = .done
    case .done: violation = "a finished consumer of states took a step"
    }
  }

  // MARK: Invariants

  private mutating func check() {
    for consumer in consumers {
      let items = consumer.received
      if items.first.map({ $0.old != nil }) == true { violation = "the first element has an old state" }
      if let wrong = items.first(where: { $0.new != $0.revision }) { violation = "\(wrong) has another state" }
      for (one, next) in zip(items, items.dropFirst()) where next.old != one.new || next.revision != one.revision + 1 {
        violation = "\(next) follows \(one)"
      }
    }
    guard isFinished, violation == nil else { return }
    for consumer in consumers where !consumer.leaves && consumer.received.last?.revision != commits {
      violation = "received \(consumer.received) of \(commits) commits"
    }
    if newest.box != nil { violation = "a state is kept" }
    if isWatched { violation = "commits are still published" }
  }
}
