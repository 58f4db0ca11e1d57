/// One series of values and those who watch it: the shell around `Subscribers`.
///
/// It owns the lock and does what `Subscribers` says. It is not generic over the values, so that its steps are compiled
/// for the types they have.
@usableFromInline final class Broadcast: Sendable {
  typealias Filter = @Sendable (_ previous: AnyPublished?, _ new: AnyPublished) -> Bool
  typealias Logic = Subscribers<AnyPublished, Consumer, Filter>

  /// A task that waits for something to take.
  struct Consumer: Sendable {
    private let task: Parked<Void>
    /// Noted if the task runs an action that may hold up the store it waits for.
    private let wait: NotedWait?

    init(_ task: Parked<Void>, _ wait: NotedWait?) {
      self.task = task
      self.wait = wait
    }

    /// From here on the task waits for no store, even if it takes a while to run.
    func resume() {
      wait?.end()
      task.resume(returning: ())
    }
  }

  /// What a new value brings with it, to be done without a lock.
  @usableFromInline struct Publication: Sendable {
    fileprivate var concerned = Logic.Publication()

    @usableFromInline init() {}
  }

  private let subscribers = Locked(Logic())
  private let simulation = SimulationHooks.current

  init() {}

  // MARK: Coming and going

  /// Makes a place for a subscriber; it is to be started.
  func reserve(_ buffering: Buffering, filter: Filter?) -> SubscriptionID {
    subscribers.withLock { $0.reserve(buffering, filter: filter) }
  }

  /// Offers it this value first, and from here on each that is published; returns who is to be woken.
  func start(_ id: SubscriptionID, with value: AnyPublished) -> [Consumer] {
    subscribers.withLock { $0.start(id, with: value) }
  }

  /// The stream and its iterators are gone, or their consumer was cancelled.
  func leave(_ id: SubscriptionID) {
    let (left, gone) = subscribers.withLock { ($0.leave(id), $0.garbage()) }
    if var left { left.wake().resumeAll() }
    withExtendedLifetime(gone) {}
  }

  /// Nothing more is published: ends the streams for which nothing is due, the others when they have delivered it.
  func finish() {
    subscribers.withLock { $0.finish() }.resumeAll()
  }

  // MARK: Publishing

  /// There is a new value; what is returned is to be handed to `offer`.
  ///
  /// Under the store's lock, or with the turn: one at a time. The value is made only if somebody watches.
  @usableFromInline
  func publish(_ value: () -> AnyPublished) -> Publication {
    var publication = Publication()
    publication.concerned = subscribers.withLock { $0.publish(value) }
    return publication
  }

  /// Wakes those who waited for what was just published, and asks the filters of those who have one: with the turn, and
  /// without a lock.
  @usableFromInline
  func offer(_ publication: Publication) {
    // Who has no filter does not wait for those of others.
    publication.concerned.woken.resumeAll()
    for id in publication.concerned.filtered {
      guard let question = subscribers.withLock({ $0.offer(id) }) else { continue }
      let isAccepted = question.filter(question.previous, question.new)
      let (woken, gone) = subscribers.withLock { ($0.judgedOffer(id, isAccepted: isAccepted), $0.garbage()) }
      woken.resumeAll()
      withExtendedLifetime(gone) {}
    }
  }

  // MARK: Taking

  /// The next value its filter accepts; nil when the subscription has ended.
  ///
  /// If it has to wait, it waits for a commit of the store whose queue `line` is; nil if that is noted already.
  func next(_ id: SubscriptionID, waitingFor line: TurnLine?) async -> AnyPublished? {
    while true {
      switch take(id) {
      case .value(let value):
        await simulation?.pause()
        return value
      case .end:
        await simulation?.pause()
        return nil
      case .refused:
        continue
      case .nothing:
        await park(id, CallChain.isEmptyHere ? nil : line.flatMap(WaitsAcrossStores.beginWait(forElementOf:)))
      }
    }
  }

  /// Waits until there may be something to take.
  func wait(_ id: SubscriptionID) async {
    await park(id, nil)
    await simulation?.pause()
  }

  private func park(_ id: SubscriptionID, _ wait: NotedWait?) async {
    await ActorStore.park { task in
      let consumer = Consumer(task, wait)
      if !subscribers.withLock({ $0.park(id, consumer) }) { consumer.resume() }
    }
  }

  /// The next of those that are there, accepted or not.
  func take(_ id: SubscriptionID) -> Taken<AnyPublished> {
    let (taking, gone) = subscribers.withLock { ($0.take(id), $0.garbage()) }
    withExtendedLifetime(gone) {}
    switch taking {
    case .deliver(let value): return .value(value)
    case .wait: return .nothing
    case .end: return .end
    case .judge(let filter, let previous, let new): return judge(id, filter(previous, new))
    }
  }

  private func judge(_ id: SubscriptionID, _ isAccepted: Bool) -> Taken<AnyPublished> {
    let (delivered, woken, gone) = subscribers.withLock { subscribers in
      let (delivered, woken) = subscribers.judgedTaking(id, isAccepted: isAccepted)
      return (delivered, woken, subscribers.garbage())
    }
    woken.resumeAll()
    withExtendedLifetime(gone) {}
    return delivered.map { .value($0) } ?? .refused
  }

  // MARK: Looking inside

  /// How many values are kept for those who are behind.
  var backlogCount: Int { subscribers.withLock { $0.backlogCount } }

  /// How many wait for something to take.
  var waitingCount: Int { subscribers.withLock { $0.waitingCount } }

  /// The number of entries that the next commit visits.
  var noticeCount: Int { subscribers.withLock { $0.noticeCount } }

  var isEmpty: Bool { subscribers.withLock { $0.count == 0 } }

  /// What became of the values each subscriber was offered.
  var accounts: [StoreDiagnostics.Subscriber] { subscribers.withLock { $0.accounts } }
}

extension [Broadcast.Consumer] {
  func resumeAll() {
    for consumer in self { consumer.resume() }
  }
}
