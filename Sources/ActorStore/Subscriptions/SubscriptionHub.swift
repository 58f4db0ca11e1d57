/// Who watches one store: the shell around `Subscribers`.
///
/// Streams hold the hub, never the store (P14). Its lock is taken under the store's own, never the other way round.
@usableFromInline final class SubscriptionHub<State: Sendable>: Sendable {
  typealias Filter = @Sendable (_ previous: State?, _ new: State) -> Bool
  private typealias Logic = Subscribers<State, Parked<Wake>, Filter>

  /// How a waiting call of `next` goes on.
  private enum Wake: Sendable {
    case deliver(State)
    case takeAgain
    case end
  }

  private let subscribers = Locked(Logic())
  private let simulation = SimulationHooks.current

  @usableFromInline init() {}

  // MARK: Coming and going

  /// Makes a place for a subscriber; it is to be started.
  func reserve(_ buffering: Buffering, filter: Filter?) -> SubscriptionID {
    subscribers.withLock { $0.reserve(buffering, filter: filter) }
  }

  /// Offers it this state first; `next` is the revision of the one that follows.
  ///
  /// Called under the store's lock, before there is a stream and so nobody to wake, or by who has the turn: so that no
  /// commit comes in between.
  func start(_ id: SubscriptionID, at state: State, next: UInt64) {
    let waiting = subscribers.withLock { subscribers in
      subscribers.start(id, at: state, next: next)
    }
    waiting?.resume(returning: .takeAgain)
  }

  /// The stream and its iterators are gone, or their consumer was cancelled.
  func leave(_ id: SubscriptionID) {
    var (left, gone) = subscribers.withLock { ($0.leave(id), $0.garbage()) }
    for waiting in left?.release() ?? [] { waiting.resume(returning: .end) }
    withExtendedLifetime(gone) { gone = [] }
  }

  /// The store commits no more: ends the streams for which no state is due, the others when they have delivered it.
  func finish() {
    for waiting in subscribers.withLock({ $0.finish() }) { waiting.resume(returning: .end) }
  }

  // MARK: Publishing

  /// A state was committed: under the store's lock, with the turn; returns who is to be offered it.
  @usableFromInline
  func publish(_ state: State) -> [SubscriptionID] {
    subscribers.withLock { $0.publish(state) }
  }

  /// Offers those who waited the state that was just published, and lets go what nobody needs any more: with the turn,
  /// and without a lock.
  ///
  /// Also when nobody waited: who is behind and never reads would otherwise keep what its policy has dropped.
  @usableFromInline
  func offer(_ state: State, to waiting: [SubscriptionID]) {
    // Who has no filter does not wait for those of others.
    let (plain, filtered) = subscribers.withLock { $0.partition(waiting) }
    for id in plain {
      if case .deliver(let consumer, let another) = subscribers.withLock({ $0.offer(id, state) }) {
        consumer.resume(returning: .deliver(state))
        another?.resume(returning: .takeAgain)
      }
    }
    for id in filtered {
      guard case .judge(let filter, let previous) = subscribers.withLock({ $0.offer(id, state) }) else { continue }
      let isAccepted = filter(previous, state)
      let (verdict, gone) = subscribers.withLock { ($0.judged(id, isAccepted: isAccepted), $0.garbage()) }
      switch verdict {
      case .deliver(let waiting, let another):
        waiting?.resume(returning: .deliver(state))
        another?.resume(returning: .takeAgain)
      case .goOn: break
      case .end(let ended): for waiting in ended { waiting.resume(returning: .end) }
      }
      withExtendedLifetime(gone) {}
    }
    withExtendedLifetime(subscribers.withLock { $0.garbage() }) {}
  }

  // MARK: Taking

  /// The next state its filter accepts; nil when the subscription has ended.
  func next(_ id: SubscriptionID) async -> State? {
    let state = await take(id)
    await simulation?.pause()
    return state
  }

  private func take(_ id: SubscriptionID) async -> State? {
    while true {
      let (taking, gone) = subscribers.withLock { ($0.take(id), $0.garbage()) }
      withExtendedLifetime(gone) {}
      switch taking {
      case .deliver(let state):
        return state
      case .end:
        return nil
      case .judge(let filter, let previous, let new):
        let isAccepted = filter(previous, new)
        switch subscribers.withLock({ $0.judged(id, isAccepted: isAccepted) }) {
        case .deliver(_, let another):
          another?.resume(returning: .takeAgain)
          return new
        case .goOn: continue
        case .end: return nil
        }
      case .park, .queue:
        let wake: Wake = await park { waiting in
          let waits = subscribers.withLock { subscribers in
            if case .park = taking { subscribers.park(id, waiting) } else { subscribers.queue(id, waiting) }
          }
          if !waits { waiting.resume(returning: .takeAgain) }
        }
        switch wake {
        case .deliver(let state): return state
        case .end: return nil
        case .takeAgain: continue
        }
      }
    }
  }

  /// How many states are kept for those who are behind.
  var backlogCount: Int { subscribers.withLock { $0.backlogCount } }

  var isEmpty: Bool { subscribers.withLock { $0.isEmpty } }

  /// What became of the states each subscriber was offered.
  var accounts: [SubscriptionAccount] { subscribers.withLock { $0.accounts } }
}
