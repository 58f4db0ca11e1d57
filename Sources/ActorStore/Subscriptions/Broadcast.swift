/// One series of values and its subscribers, the shell around `BroadcastStateMachine`.
///
/// It owns the lock and carries out the decisions of the state machine. It is not generic over the values, so its steps
/// are compiled for concrete types.
@usableFromInline package final class Broadcast: Sendable {
  typealias Filter = @Sendable (_ previous: AnyPublished?, _ new: AnyPublished) -> Bool
  typealias StateMachine = BroadcastStateMachine<AnyPublished, Consumer, Filter>

  /// A task that waits for a value.
  struct Consumer: Sendable {
    private let task: Parked<Void>
    /// The wait in the wait graph, if the task runs an action that may hold up the store it waits for.
    private let wait: NotedWait?

    init(_ task: Parked<Void>, _ wait: NotedWait?) {
      self.task = task
      self.wait = wait
    }

    /// Ends the wait for the store and resumes the task, which may not run for a while.
    func resume() {
      wait?.end()
      task.resume(returning: ())
    }
  }

  /// The consequences of a new value, which `offer` carries out without a lock.
  @usableFromInline package struct Publication: Sendable {
    fileprivate var steps = StateMachine.Publication()

    /// Whether no subscriber needs to receive the value.
    var isEmpty: Bool { steps.woken.isEmpty && steps.filtered.isEmpty }

    @usableFromInline package init() {}
  }

  private let stateMachine = Locked(StateMachine())
  private let simulation: SimulationHooks?

  package init(simulation: SimulationHooks? = .current) {
    self.simulation = simulation
    simulation?.created(self)
  }

  // MARK: Joining and leaving

  /// Adds a subscriber, which receives nothing until it is started.
  ///
  /// - Parameter isInGroup: Whether a running group reads the stream.
  func reserve(_ buffering: Buffering, filter: Filter?, isInGroup: Bool) -> SubscriptionID {
    touch()
    return stateMachine.withLock { $0.reserve(buffering, filter: filter, isInGroup: isInGroup) }
  }

  /// Whether a subscriber has not left.
  func isHere(_ id: SubscriptionID) -> Bool {
    touch()
    return stateMachine.withLock { $0.isHere(id) }
  }

  /// Offers a subscriber this value and all later ones.
  ///
  /// Returns the consumers to resume.
  func start(_ id: SubscriptionID, with value: AnyPublished) -> [Consumer] {
    touch()
    return stateMachine.withLock { $0.start(id, with: value) }
  }

  /// Removes a subscriber, because its stream is gone or its consumer was canceled.
  func leave(_ id: SubscriptionID) {
    touch()
    let (left, unused) = stateMachine.withLock { ($0.leave(id), $0.takeUnused()) }
    if var left { left.wake().resumeAll() }
    withExtendedLifetime(unused) {}
  }

  /// Ends each stream after it delivers its remaining values.
  ///
  /// - Parameter groupsOnly: Whether to end only the streams that running groups read.
  package func finish(groupsOnly: Bool = false) {
    touch()
    stateMachine.withLock { $0.finish(groupsOnly: groupsOnly) }.resumeAll()
  }

  // MARK: Publishing

  /// Adds a new value, which is created only if there are subscribers.
  ///
  /// The caller passes the result to `offer`.
  ///
  /// Called under the store's lock, or with the turn, so never concurrently.
  @usableFromInline
  package func publish(_ value: () -> AnyPublished) -> Publication {
    touch()
    var publication = Publication()
    publication.steps = stateMachine.withLock { $0.publish(value) }
    return publication
  }

  /// Resumes the consumers that waited for a new value, and asks the filters of the others.
  ///
  /// Called with the turn and without a lock.
  @usableFromInline
  package func offer(_ publication: Publication) {
    touch()
    // Consumers without a filter do not wait for the filters of others.
    publication.steps.woken.resumeAll()
    for id in publication.steps.filtered {
      guard let question = stateMachine.withLock({ $0.offer(id) }) else { continue }
      let isAccepted = question.filter(question.previous, question.new)
      touch()
      let (woken, unused) = stateMachine.withLock { ($0.judgedOffer(id, isAccepted: isAccepted), $0.takeUnused()) }
      woken.resumeAll()
      withExtendedLifetime(unused) {}
    }
  }

  // MARK: Taking

  /// The next value that the filter accepts, or `nil` if the subscription has ended.
  ///
  /// - Parameter queue: The queue of the store whose commit the consumer waits for, or `nil` if that wait is already in
  ///   the wait graph.
  func next(_ id: SubscriptionID, waitingFor queue: TurnQueue?) async -> AnyPublished? {
    while true {
      switch take(id) {
      case .value(let value):
        await simulation?.pause(before: .ownCode)
        return value
      case .end:
        await simulation?.pause(before: .ownCode)
        return nil
      case .refused:
        continue
      case .nothing:
        await park(id, CallChain.isEmptyHere ? nil : queue.flatMap(WaitGraph.addWait(forElementOf:)))
      }
    }
  }

  /// Waits until there may be a value.
  func wait(_ id: SubscriptionID) async {
    await park(id, nil)
    await simulation?.pause(before: .ownCode)
  }

  /// Tells a simulation that the current step changes the broadcast.
  private func touch() {
    simulation?.touch(self)
  }

  private func park(_ id: SubscriptionID, _ wait: NotedWait?) async {
    touch()
    await ActorStore.park { task in
      let consumer = Consumer(task, wait)
      if !stateMachine.withLock({ $0.park(id, consumer) }) { consumer.resume() }
    }
  }

  /// Takes the next value, whether or not the filter accepts it.
  func take(_ id: SubscriptionID) -> Taken<AnyPublished> {
    touch()
    let (taking, unused) = stateMachine.withLock { ($0.take(id), $0.takeUnused()) }
    withExtendedLifetime(unused) {}
    switch taking {
    case .taken(let taken): return taken
    case .judge(let filter, let previous, let new): return judge(id, filter(previous, new))
    }
  }

  private func judge(_ id: SubscriptionID, _ isAccepted: Bool) -> Taken<AnyPublished> {
    touch()
    let (result, woken, unused) = stateMachine.withLock { stateMachine in
      let (result, woken) = stateMachine.judgedTaking(id, isAccepted: isAccepted)
      return (result, woken, stateMachine.takeUnused())
    }
    woken.resumeAll()
    withExtendedLifetime(unused) {}
    return result
  }

  // MARK: Inspecting

  /// The number of values kept for subscribers that are behind.
  var backlogCount: Int { stateMachine.withLock { $0.backlogCount } }

  /// The number of subscribers that wait for a value.
  var waitingCount: Int { stateMachine.withLock { $0.waitingCount } }

  /// The number of subscribers that the next commit visits.
  var noticeCount: Int { stateMachine.withLock { $0.noticeCount } }

  /// Whether no more values will be published.
  var isFinished: Bool { stateMachine.withLock { $0.isFinished } }

  var isEmpty: Bool { count == 0 }

  /// The number of subscribers.
  var count: Int { stateMachine.withLock { $0.count } }

  /// The counts of each subscriber.
  var counts: [SubscriberCounts] { stateMachine.withLock { $0.counts } }
}

extension [Broadcast.Consumer] {
  func resumeAll() {
    for consumer in self { consumer.resume() }
  }
}
