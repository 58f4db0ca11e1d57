import ActorStore

/// A store that yields each state to the continuation of each watcher.
///
/// It gives turns first come, first served. The default implementations are correct, and each known-bad store replaces
/// one of them.
protocol FanoutStore: WatchedSubject {
  var fanout: Fanout { get }

  /// Offers a state to all watchers, within the turn that committed it.
  func publish(_ state: Int)
}

extension FanoutStore {
  func commit() async -> Bool {
    await fanout.takeTurn()
    defer { fanout.handOff() }
    guard let state = fanout.advance() else { return false }
    publish(state)
    return true
  }

  func publish(_ state: Int) {
    for watcher in fanout.watchers { watcher.offer(state) }
  }

  func states(keepingNewest count: Int?, _ filter: Filter?) async -> AsyncStream<Int> {
    let (states, watcher) = Fanout.Watcher.make(keepingNewest: count, filter)
    fanout.add(watcher, startingWith: true)
    return states
  }

  func close() async {
    await fanout.takeTurn()
    for watcher in fanout.watchers { watcher.finish() }
    fanout.close()
    fanout.handOff()
  }
}

/// The correct store, which replaces no implementation.
final class FairFanoutStore: FanoutStore {
  let fanout = Fanout()
}

/// A count, its watchers, and the gate for its turns.
final class Fanout: Sendable {
  final class Watcher: Sendable {
    private let continuation: AsyncStream<Int>.Continuation
    private let filter: WatchedSubject.Filter?
    private let accepted = Locked<Int?>(nil)
    private let isOver = Locked(false)

    private init(_ continuation: AsyncStream<Int>.Continuation, _ filter: WatchedSubject.Filter?) {
      self.continuation = continuation
      self.filter = filter
    }

    static func make(
      keepingNewest count: Int?,
      _ filter: WatchedSubject.Filter?
    ) -> (states: AsyncStream<Int>, watcher: Watcher) {
      let (states, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .init(keepingNewest: count))
      let watcher = Watcher(continuation, filter)
      continuation.onTermination = { [weak watcher] _ in watcher?.leave() }
      return (states, watcher)
    }

    func leave() { isOver.withLock { $0 = true } }
    var hasLeft: Bool { isOver.withLock { $0 } }

    func isAccepted(_ state: Int) -> Bool {
      let previous = accepted.withLock { $0 }
      guard filter?(previous, state) ?? true else { return false }
      accepted.withLock { $0 = state }
      return true
    }

    func yield(_ state: Int) { continuation.yield(state) }
    func offer(_ state: Int) { if !hasLeft, isAccepted(state) { yield(state) } }
    func finish() { continuation.finish() }
  }

  private struct State: Sendable {
    var count = 0
    var watchers: [Watcher] = []
    var isClosed = false
  }

  private let gate = SharedGate()
  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }
  var watchers: [Watcher] { state.withLock { $0.watchers } }

  func takeTurn() async {
    if let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
  }

  func handOff() {
    gate.withLock { $0.handOver() }?.signal()
  }

  /// Advances to the next state and returns it, or returns `nil` if the store is closed.
  func advance() -> Int? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.count += 1
      return state.count
    }
  }

  func add(_ watcher: Watcher, startingWith isStarted: Bool) {
    let (count, isClosed) = state.withLock { state in
      state.watchers.append(watcher)
      return (state.count, state.isClosed)
    }
    if isStarted { watcher.offer(count) }
    if isClosed { watcher.finish() }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }
}
