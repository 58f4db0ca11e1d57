import ActorStore

/// The watchers of one atom in one graph.
final class Watch: @unchecked Sendable {
  // Invariant: the graph's lock protects the watchers and the elements. Only the delivering thread uses the properties
  // of the last delivery. The next delivering thread takes over under that lock.

  /// The values for streams.
  let broadcast = Broadcast()

  /// The watchers in the order of their numbers, including some that were removed.
  @safe @exclusivity(unchecked) private var watchers: [Watcher] = []
  @safe @exclusivity(unchecked) private var removedCount = 0
  @safe @exclusivity(unchecked) private var streamCount = 0
  /// The elements of a sequence that wait for delivery.
  @safe @exclusivity(unchecked) private var elements = Fifo<Element>()

  /// The value that was delivered last, except a number that is in `lastNumber`.
  @safe @exclusivity(unchecked) private(set) var last: AnyPublished? { didSet { lastNumber = nil } }
  /// The bits of the value that was delivered last, if it is a number without a box.
  @safe @exclusivity(unchecked) private var lastNumber: UInt64?
  /// The version of the value that was delivered last.
  @safe @exclusivity(unchecked) private(set) var version: Version = 0
  /// The receivers of the number from `takeNumber`, until `offerNumber` takes them.
  @safe @exclusivity(unchecked) private var receivers: Receivers?
  /// The number of the element that was delivered last, or `nil` if another value followed.
  @safe @exclusivity(unchecked) private(set) var lastElement: Version?

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

  typealias Callback = @Sendable (ValueSlot) -> Void

  enum Body: Sendable {
    case callback(Callback)
    /// Starts a stream with a value. Later values reach it through the broadcast.
    case stream(@Sendable (AnyPublished) -> Void)
  }

  // MARK: Watchers and elements, under the graph's lock

  var count: Int { watchers.count - removedCount }

  /// Whether there are watchers that do not live as long as the atom.
  var hasObservers: Bool { watchers.contains { !$0.isHandler && !$0.isRemoved } }

  func add(_ number: Int, skip: Int, isHandler: Bool, _ body: Body) {
    if case .stream = body { streamCount += 1 }
    watchers.append(Watcher(number: number, skip: skip, isHandler: isHandler, body: body))
  }

  /// Removes a watcher, and returns its closure: O(log watchers), amortized.
  func remove(_ number: Int) -> Body? {
    guard let index = index(of: number) else { return nil }
    let body = watchers[index].body.take()
    if case .stream? = body { streamCount -= 1 }
    removedCount += 1
    // Only after many removals, so that each of them costs the same in any order.
    if removedCount > max(16, watchers.count / 2) {
      watchers.removeAll { $0.isRemoved }
      removedCount = 0
    }
    return body
  }

  /// The index of a watcher that was not removed: O(log watchers).
  private func index(of number: Int) -> Int? {
    let index = watchers.partitioningIndex { $0.number >= number }
    guard index < watchers.count, watchers[index].number == number, !watchers[index].isRemoved else { return nil }
    return index
  }

  /// Adds an element, which a check delivers.
  func add(_ element: Element) { elements.append(element) }

  var hasElements: Bool { !elements.isEmpty }

  /// Takes the first element if it was added up to a revision.
  private func takeElement(upTo revision: Revision) -> Element? {
    guard let first = elements.first, first.revision <= revision else { return nil }
    return elements.popFirst()
  }

  /// Notes that a watcher gets its first value, and returns its closure, or `nil` if it skips the value or was removed.
  private func bodyToStart(_ number: Int) -> Body? {
    guard let index = index(of: number), !watchers[index].isStarted else { return nil }
    watchers[index].isStarted = true
    return bodyToCall(at: index)
  }

  /// The closure of a watcher that gets a value, or `nil` if it skips the value or was removed.
  @inline(__always)  // HP19
  private func bodyToCall(at index: Int) -> Body? {
    if watchers[index].skip > 0 {
      watchers[index].skip -= 1
      return nil
    }
    return watchers[index].body
  }

  /// The receivers of a value.
  private struct Receivers: Sendable {
    let hasStreams: Bool
    /// The closure of the only watcher.
    var only: Callback?
    /// The numbers of the watchers if there are several.
    var numbers: [Int] = []
  }

  @inline(__always)  // HP19
  private func takeReceivers() -> Receivers {
    var receivers = Receivers(hasStreams: streamCount > 0)
    // Usually, there is one watcher, for which no array is needed.
    if watchers.count != 1 {
      receivers.numbers = watchers.filter { $0.isStarted && !$0.isRemoved }.map(\.number)
    } else if watchers[0].isStarted, case .callback(let body)? = bodyToCall(at: 0) {
      receivers.only = body
    }
    return receivers
  }

  /// Makes the number in a cell the last value, unless it repeats that value.
  ///
  /// The delivering thread calls this in the locked section that publishes the number, and then calls `offerNumber`.
  /// Comparing numbers runs no user code.
  ///
  /// - Returns: `false`, changing nothing, if there is no last value.
  func takeNumber(of cell: Cell, version: Version) -> Bool {
    if last == nil { return false }
    if self.version == version { return true }
    self.version = version
    let number = cell.knownNumber
    if isRepeated(number, of: cell) { return true }
    receivers = takeReceivers()
    // Only streams need a box.
    if streamCount > 0 { last = last.map { cell.makeBox(like: $0) } } else { lastNumber = number }
    return true
  }

  /// Offers the number from `takeNumber`, unless it repeated the last value.
  func offerNumber(of cell: Cell, in graph: Graph) {
    guard var receivers = receivers.take() else { return }
    if let lastNumber {
      ValueSlot.withNumber(lastNumber, size: cell.numberSize) { offer($0, to: &receivers, in: graph) }
    } else if let last {
      offer(last, to: &receivers, in: graph)
    }
  }

  // MARK: Delivering, on one thread at a time and without the graph's lock

  /// Ends the streams, because the store is gone.
  func finish() { broadcast.finish() }

  /// Offers the elements that were added up to a revision, unless they repeat the last value.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - limit: The number of elements to offer at most.
  ///   - cell: The cell of the atom.
  ///   - graph: The graph.
  /// - Returns: Whether all such elements have been offered.
  func deliverElements(upTo revision: Revision, atMost limit: Int, of cell: Cell, in graph: Graph) -> Bool {
    for _ in 0..<limit {
      let element = graph.state.withLockBackingOff { _ in takeElement(upTo: revision) }
      guard let element else { return true }
      let isRepeated = isRepeated(element.value, of: cell)
      lastElement = element.number
      // The value that follows may be the one before the elements.
      version = 0
      last = element.value
      if !isRepeated { offer(element.value, in: graph) }
    }
    return graph.state.withLockBackingOff { _ in elements.first.map { $0.revision > revision } ?? true }
  }

  /// Offers a value, unless it repeats the last one.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - version: Its version.
  ///   - isLastElement: Whether it is the element that was delivered last.
  ///   - cell: The cell of the atom.
  ///   - graph: The graph.
  func deliver(_ value: AnyPublished, version: Version, isLastElement: Bool, of cell: Cell, in graph: Graph) {
    if self.version == version { return }
    let isFirst = last == nil
    let isRepeated = isLastElement || isRepeated(value, of: cell)
    self.version = version
    if isRepeated { return }
    lastElement = nil
    last = value
    if !isFirst { offer(value, in: graph) }
  }

  /// Offers a value of a source, which differs from the one before.
  func deliver(_ value: AnyPublished, in graph: Graph) {
    last = value
    offer(value, in: graph)
  }

  private func isRepeated(_ value: AnyPublished, of cell: Cell) -> Bool {
    if cell.hasNumbers { return value.withSlot { isRepeated($0.number(size: cell.numberSize), of: cell) } }
    return last.map { cell.isEqual($0, value) } ?? false
  }

  private func isRepeated(_ number: UInt64, of cell: Cell) -> Bool {
    if let lastNumber { return cell.areEqual(lastNumber, number) }
    return last?.withSlot { cell.areEqual($0.number(size: cell.numberSize), number) } ?? false
  }

  private func offer(_ value: AnyPublished, in graph: Graph) {
    var receivers = graph.state.withLockBackingOff { _ in takeReceivers() }
    offer(value, to: &receivers, in: graph)
  }

  private func offer(_ value: AnyPublished, to receivers: inout Receivers, in graph: Graph) {
    if receivers.hasStreams { broadcast.offer(broadcast.publish { value }) }
    value.withSlot { offer($0, to: &receivers, in: graph) }
  }

  /// Passes a value to the closures.
  ///
  /// If there is only one, it is moved out of the receivers, which saves a retain.
  @inline(__always)  // HP19
  private func offer(_ value: ValueSlot, to receivers: inout Receivers, in graph: Graph) {
    if let only = receivers.only.take() { call(only, value) }
    for number in receivers.numbers {
      // It may have been removed since the delivery began.
      let body = graph.state.withLockBackingOff { _ -> Body? in index(of: number).flatMap { bodyToCall(at: $0) } }
      if case .callback(let body)? = body { call(body, value) }
    }
  }

  /// Starts a watcher with the current value.
  func start(_ number: Int, _ value: AnyPublished, _ version: Version = 0, in graph: Graph) {
    if last == nil { (last, self.version) = (value, version) }
    guard let body = graph.state.withLockBackingOff({ _ in bodyToStart(number) }) else { return }
    switch body {
    case .stream(let start): start(value)
    case .callback(let body): value.withSlot { call(body, $0) }
    }
  }

  @inline(__always)  // HP19
  private func call(_ body: Callback, _ value: ValueSlot) {
    SimulationHooks.point()
    body(value)
  }
}
