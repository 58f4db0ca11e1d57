import ActorStore

/// The watchers of one atom in one graph.
final class Watch: Sendable {
  private let state = Locked(State())
  /// The values for streams.
  let broadcast = Broadcast()

  private struct State: Sendable {
    /// The watchers in the order of their numbers, including some that were removed.
    var watchers: [Watcher] = []
    var removedCount = 0
    /// The elements of a sequence that wait for delivery.
    var elements = Fifo<Element>()
    /// The number of the element that was delivered last, or `nil` if another value followed.
    var lastElement: Version?
    /// The value that was delivered last, and its version.
    var last: AnyPublished?
    var version: Version = 0

    var count: Int { watchers.count - removedCount }

    /// The index of a watcher that was not removed: O(log watchers).
    func index(of number: Int) -> Int? {
      let index = watchers.partitioningIndex { $0.number >= number }
      guard index < watchers.count, watchers[index].number == number, !watchers[index].isRemoved else { return nil }
      return index
    }

    /// The closure of a watcher that gets a value, or `nil` if it skips the value or was removed.
    mutating func bodyToCall(at index: Int) -> Body? {
      if watchers[index].skip > 0 {
        watchers[index].skip -= 1
        return nil
      }
      return watchers[index].body
    }

    /// Removes a watcher, and returns its closure: O(log watchers), amortized.
    mutating func remove(_ number: Int) -> Body? {
      guard let index = index(of: number) else { return nil }
      let body = watchers[index].body.take()
      removedCount += 1
      // Only after many removals, so that each of them costs the same in any order.
      if removedCount > max(16, watchers.count / 2) {
        watchers.removeAll { $0.isRemoved }
        removedCount = 0
      }
      return body
    }
  }

  /// The closure of a watcher, and its state.
  private struct Watcher: Sendable {
    let number: Int
    /// The number of values that it still skips.
    var skip: Int
    /// Whether it has received its first value.
    var isStarted = false
    /// Whether it lives as long as the atom.
    let isHandler: Bool
    /// The closure, or `nil` if the watcher was removed.
    var body: Body?

    var isRemoved: Bool { if case nil = body { true } else { false } }
  }

  /// An element of a sequence, which is the atom's value from a revision on.
  struct Element: Sendable {
    let value: AnyPublished
    let number: Version
    let revision: Revision
  }

  enum Body: Sendable {
    case callback(@Sendable (AnyPublished) -> Void)
    /// Starts a stream with a value. Later values reach it through the broadcast.
    case stream(@Sendable (AnyPublished) -> Void)
  }

  func add(_ number: Int, skip: Int, isHandler: Bool, _ body: Body) {
    state.withLock {
      $0.watchers.append(Watcher(number: number, skip: skip, isHandler: isHandler, body: body))
    }
  }

  /// Whether there are watchers that do not live as long as the atom.
  var hasObservers: Bool { state.withLock { $0.watchers.contains { !$0.isHandler && !$0.isRemoved } } }

  /// Removes a watcher, and returns its closure, and whether no watcher is left.
  func remove(_ number: Int) -> (removed: Body?, isEmpty: Bool) {
    state.withLock { state in
      let body = state.remove(number)
      return (body, state.count == 0)
    }
  }

  var count: Int { state.withLock { $0.count } }
  var deliveredVersion: Version { state.withLock { $0.version } }

  /// Ends the streams, because the store is gone.
  func finish() { broadcast.finish() }

  /// Adds an element, which a check delivers.
  ///
  /// Called under the graph's lock.
  func add(_ element: Element) { state.withLock { $0.elements.append(element) } }

  /// The number of the element that was delivered last, or `nil` if another value followed.
  var lastElement: Version? { state.withLock { $0.lastElement } }

  // MARK: Delivering, on one thread at a time and without the graph's lock

  /// Offers the elements that were added up to a revision, unless they repeat the last value.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - limit: The number of elements to offer at most.
  ///   - cell: The cell of the atom.
  /// - Returns: Whether all such elements have been offered.
  func deliverElements(upTo revision: Revision, atMost limit: Int, of cell: Cell) -> Bool {
    var count = 0
    while let element = state.withLock({ $0.elements.first }), element.revision <= revision {
      if count == limit { return false }
      count += 1
      let last = state.withLock { $0.last }
      let isRepeated = Self.isRepeated(element.value, after: last, of: cell)
      state.withLock { state in
        _ = state.elements.popFirst()
        state.lastElement = element.number
        state.last = element.value
        // The value that follows may be the one before the elements.
        state.version = 0
      }
      withExtendedLifetime(last) {}
      if !isRepeated { offer(element.value) }
    }
    return true
  }

  /// Offers a value, unless it repeats the last one.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - version: Its version.
  ///   - isLastElement: Whether it is the element that was delivered last.
  ///   - cell: The cell of the atom.
  func deliver(
    _ value: AnyPublished, version: Version, isLastElement: Bool, of cell: Cell
  ) {
    let (last, known) = state.withLock { ($0.last, $0.version) }
    if known == version { return }
    let isRepeated = isLastElement || Self.isRepeated(value, after: last, of: cell)
    let former = state.withLock { state -> AnyPublished? in
      state.version = version
      if isRepeated { return nil }
      defer { state.last = value }
      state.lastElement = nil
      return state.last
    }
    withExtendedLifetime(former) {}
    if isRepeated || last == nil { return }
    offer(value)
  }

  /// Offers a value of a source, which differs from the one before.
  func deliver(_ value: AnyPublished) {
    let former = state.withLock { state -> AnyPublished? in
      defer { state.last = value }
      return state.last
    }
    withExtendedLifetime(former) {}
    offer(value)
  }

  private static func isRepeated(
    _ value: AnyPublished, after last: AnyPublished?, of cell: Cell
  ) -> Bool {
    if let last { cell.isEqual(last, value) } else { false }
  }

  private func offer(_ value: AnyPublished) {
    broadcast.offer(broadcast.publish { value })
    let (only, started) = state.withLock { state -> (Body?, [Int]) in
      // Usually, there is one watcher, for which no array is needed.
      if state.watchers.count == 1 { return (state.watchers[0].isStarted ? state.bodyToCall(at: 0) : nil, []) }
      return (nil, state.watchers.filter { $0.isStarted && !$0.isRemoved }.map(\.number))
    }
    if let only { call(only, value) }
    for number in started { call(number, value) }
  }

  /// Starts a watcher with the current value.
  func start(_ number: Int, _ value: AnyPublished, _ version: Version = 0) {
    let isNew = state.withLock { state in
      if state.last == nil {
        state.last = value
        state.version = version
      }
      guard let index = state.index(of: number), !state.watchers[index].isStarted else { return false }
      state.watchers[index].isStarted = true
      return true
    }
    if isNew { call(number, value, isFirst: true) }
  }

  private func call(_ number: Int, _ value: AnyPublished, isFirst: Bool = false) {
    // It may have been removed since the delivery began.
    let body = state.withLock { state in state.index(of: number).flatMap { state.bodyToCall(at: $0) } }
    if let body { call(body, value, isFirst: isFirst) }
  }

  private func call(_ body: Body, _ value: AnyPublished, isFirst: Bool = false) {
    switch body {
    case .callback(let body):
      SimulationHooks.ofThread?.point()
      body(value)
    case .stream(let start): if isFirst { start(value) }
    }
  }
}
