import Testing

@testable import Atoms

/// The logic of deliveries, which thread delivers what, without threads.
@Suite struct DeliveryQueueTests {
  private typealias Queue = DeliveryQueue<Int>

  private var queue = Queue()
  private let nodes = (0..<4).map { NodeID(index: Int32($0)) }

  /// A change of a source by the delivering thread, or by another one.
  private mutating func change(_ value: Int, byOther: Bool = false) {
    queue.add(.init(node: nodes[0], value: value))
    if byOther { queue.endOtherChange(at: 1) }
  }

  /// Takes rounds until the thread is done, and returns the values of each.
  private mutating func deliver(_ react: (inout Self, Int) -> Void = { _, _ in }) -> [[Int]] {
    var rounds: [[Int]] = []
    while !queue.isDone(), let round = queue.takeRound() {
      rounds.append(round.changes.map(\.value))
      for change in round.changes { react(&self, change.value) }
    }
    return rounds
  }

  @Test mutating func oneThreadDeliversAll() {
    change(0)
    let begins = queue.begin()
    let rounds = deliver { test, value in
      if value < 3 { for next in 0..<100 { test.change(10 + next) } }
    }
    #expect(begins && rounds == [[0], Array(10..<110)])
    let hasRest = queue.end()
    #expect(!hasRest && queue.isEmpty)
  }

  @Test mutating func aThreadDeliversFourRoundsOfOthers() {
    change(0)
    _ = queue.begin()
    let rounds = deliver { test, value in test.change(value + 1, byOther: true) }
    #expect(rounds == [[0], [1], [2], [3], [4]])
    let hasRest = [queue.end(), queue.end()]
    // Only one task is necessary.
    #expect(hasRest == [true, false])
    queue.beginTask()
    let begins = queue.begin()
    let rest = deliver()
    #expect(begins && rest == [[5]])
  }

  @Test mutating func aLateChangeWaitsBehindManyOthers() {
    change(0)
    _ = queue.begin()
    _ = deliver { test, value in if value == 0 { for next in 1...1_000 { test.change(next, byOther: true) } } }
    _ = queue.end()
    change(-1)
    let begins = queue.begin()
    let rounds = deliver()
    #expect(begins && rounds.map(\.count) == [64, 64, 64, 64, 64] && !rounds.joined().contains(-1))
    var rest: [Int] = []
    while !queue.isEmpty {
      _ = queue.end()
      _ = queue.begin()
      rest += deliver().joined()
    }
    #expect(rest.last == -1 && Array(rest.dropLast()) == Array(577...1_000))
  }

  /// One round delivers the remaining leftovers and the whole change, however many parts it has.
  @Test(arguments: [0, 1, 64])
  mutating func aChangeDoesNotWaitBehindRemovedLeftovers(left: Int) {
    change(0)
    _ = queue.begin()
    _ = deliver { test, value in
      if value != 0 { return }
      for next in 1...1_000 { test.change(next, byOther: true) }
      for next in 0..<left {
        test.queue.add(.init(node: test.nodes[1], value: next))
        test.queue.endOtherChange(at: 1)
      }
    }
    let hasRest = queue.end()
    _ = queue.remove(nodes[0])
    for value in 0..<500 { queue.add(.init(node: nodes[2], value: value)) }
    let begins = queue.begin()
    #expect(hasRest && begins && deliver() == [Array(0..<left) + Array(0..<500)])
  }

  /// While a thread delivers closed rounds that another one has left, callbacks and other threads make more changes.
  @Test mutating func aChangeDoesNotWaitBehindLaterOnes() {
    change(0)
    _ = queue.begin()
    for number in 0..<8 {
      _ = queue.isDone()
      _ = queue.takeRound()
      change(100 + number, byOther: true)
      for _ in 0..<2 {
        queue.add(check: nodes[1])
        _ = queue.close(at: 2, meetsDirty: false)
      }
    }
    let isDone = queue.isDone()
    let hasRest = queue.end()
    change(-1)
    queue.add(check: nodes[2])
    _ = queue.begin()
    var (values, checks): ([Int], [NodeID]) = ([], [])
    while !queue.isDone(), let round = queue.takeRound() {
      values += round.changes.map(\.value)
      checks += round.checks
      for next in 0..<100 { change(200 + next, byOther: true) }
      queue.add(check: nodes[1])
      if queue.needsClosing(meetsDirty: false) { _ = queue.close(at: 3, meetsDirty: false) }
    }
    #expect(isDone && hasRest && values.contains(-1) && checks.contains(nodes[2]))
  }

  /// The closed round contains the other thread's change, so no change of another thread waits.
  @Test mutating func aThreadDeliversAllChangesOfACallbackInOneRound() {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    change(1, byOther: true)
    queue.add(check: nodes[1])
    _ = queue.close(at: 2, meetsDirty: false)
    _ = queue.isDone()
    let closed = queue.takeRound()
    queue.endRound()
    for value in 0..<500 { change(value) }
    #expect(closed?.changes.map(\.value) == [1] && deliver() == [Array(0..<500)])
  }

  /// Otherwise, setting an atom could be reported as part of a series that has ended.
  @Test(arguments: [false, true])
  mutating func aSeriesEndsWithItsChanges(isRemoved: Bool) {
    change(0)
    _ = queue.begin()
    for number in 1...500 {
      _ = queue.isDone()
      _ = queue.takeRound()
      queue.add(check: nodes[1])
      _ = queue.close(at: Revision(number), meetsDirty: false)
    }
    _ = queue.isDone()
    _ = queue.takeRound()
    let depth = queue.current.depth
    // A change in the callback goes to the open round. Removing its node, or closing the next round, empties it.
    change(1)
    _ = queue.isDone()
    if isRemoved { _ = queue.remove(nodes[0]) } else { _ = queue.close(at: 501, meetsDirty: true) }
    while !queue.isDone(), queue.takeRound() != nil {}
    let hasRest = queue.end()
    change(2)
    _ = queue.begin()
    _ = queue.isDone()
    _ = queue.takeRound()
    #expect(!hasRest && depth == 500 && queue.current.depth == 0)
  }

  @Test mutating func aRoundOfOneCallbackComesBeforeThoseOfOthers() {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    queue.add(check: nodes[1])
    queue.endOtherChange(at: 1)
    queue.add(check: nodes[2])
    let mustClose = queue.needsClosing(meetsDirty: false)
    let checks = queue.close(at: 2, meetsDirty: false)
    #expect(mustClose && checks == [nodes[2]])
    let rounds = [queue.takeRound(), queue.takeRound()]
    #expect(rounds.map { $0?.checks } == [[nodes[2]], [nodes[1]]] && rounds.map { $0?.revision } == [2, nil])
  }

  /// A change that meets only dirty nodes queues nothing, but its round checks the nodes that the current round has not
  /// settled.
  @Test mutating func aRoundWithoutContentsIsNotLost() {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    let isEmpty = queue.isEmpty
    _ = queue.close(at: 2, meetsDirty: true)
    #expect(isEmpty && !queue.isEmpty)
    let rounds = [queue.takeRound(), queue.takeRound()]
    #expect(rounds.map { $0?.revision } == [2, nil] && rounds[1] == nil && queue.isEmpty)
  }

  @Test mutating func changesDuringADeliveryWaitForTheNextRound() {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    change(1)
    let isFresh = queue.hasFresh
    change(2, byOther: true)
    #expect(isFresh && !queue.hasFresh && deliver() == [[1, 2]])
  }

  /// Otherwise, the check would offer the new watcher its first value again.
  @Test(arguments: [(false, true), (true, false), (true, true)])
  mutating func aRoundTakesWhatOthersHaveQueued(meetsDirty: Bool, hasJoin: Bool) {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    queue.add(check: nodes[1])
    queue.endOtherChange(at: 1)
    if hasJoin { queue.add(.init(node: nodes[1], watcher: 7)) }
    queue.add(check: nodes[2])
    let checks = queue.close(at: 2, meetsDirty: meetsDirty)
    #expect(checks == [nodes[1], nodes[2]])
  }

  @Test mutating func whatARoundLeavesUnsettledIsCheckedInTheNextClosedOne() {
    queue.add(check: nodes[1])
    _ = queue.begin()
    _ = queue.takeRound()
    _ = queue.nextCheck()
    queue.add(check: nodes[2])
    _ = queue.close(at: 2, meetsDirty: false)
    let isChecked = queue.checkAgain(nodes[1], after: 1)
    let next = queue.takeRound()
    #expect(isChecked && next?.checks == [nodes[2], nodes[1]])
    let isCheckedWithoutARound = queue.checkAgain(nodes[1], after: 2)
    #expect(!isCheckedWithoutARound)
  }

  @Test mutating func aLongSeriesIsReportedOnce() {
    change(0)
    _ = queue.begin()
    var reports = 0
    for _ in 0..<3_000 {
      _ = queue.isDone()
      _ = queue.takeRound()
      if queue.reportsEndlessSeries() { reports += 1 }
      change(1)
    }
    #expect(reports == 1)
  }

  @Test mutating func manyRoundsOfOneCallbackAreNoSeries() {
    change(0)
    _ = queue.begin()
    _ = queue.takeRound()
    for number in 1...2_000 {
      queue.add(check: nodes[1])
      _ = queue.close(at: Revision(number), meetsDirty: false)
    }
    var rounds = 0
    while !queue.isDone(), queue.takeRound() != nil {
      rounds += 1
      let isReported = queue.reportsEndlessSeries()
      #expect(!isReported)
    }
    #expect(rounds == 2_000)
  }

  @Test mutating func aRemovedNodeLeavesNothing() {
    change(3)
    _ = queue.begin()
    queue.add(check: nodes[1])
    _ = queue.close(at: 1, meetsDirty: true)
    change(4)
    #expect(queue.remove(nodes[0]).sorted() == [3, 4] && queue.remove(nodes[1]).isEmpty)
    let round = queue.takeRound()
    #expect(round?.checks == [] && round?.changes.isEmpty == true)
  }
}

extension DeliveryQueue {
  /// Begins the next round, and returns it with its changes in order.
  mutating func takeRound() -> Round? {
    if !beginRound() { return nil }
    var round = current
    round.changes.reverse()
    while nextChange() != nil {}
    return round
  }
}
