import SeededRandom
import TestSize
import Testing

@testable import Atoms

/// Random changes, callbacks, removals, and deliveries, compared with lists of the undelivered contents.
@Suite struct DeliveryQueueModelTests {
  @Test(arguments: 0..<UInt64(TestSize.count(3_000)))
  func deliversEverythingInOrder(seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<20 { model.changeAndDeliver() }
    while !model.queue.isEmpty { model.deliverRest() }
    model.expectNothingIsLeft()
  }

  private struct Model {
    var queue = DeliveryQueue<Int>()
    private var random: SplitMix64
    private let nodes = (0..<4).map { NodeID(index: Int32($0)) }
    /// The queued values of each node that no round has begun to deliver, in order.
    private var values: [NodeID: [Int]] = [:]
    /// The nodes of the queued watchers that no round has begun to deliver.
    private var joins: [Int: NodeID] = [:]
    /// The time at which a check of each node was last queued.
    private var queued: [NodeID: Int] = [:]
    /// The time at which the last round with a check of each node began.
    private var checked: [NodeID: Int] = [:]
    /// A counter that serves as the time, and numbers the values, watchers, and revisions.
    private var now = 0
    private var othersHaveChanged = false
    private var hasTask = false
    /// The number of changes that can still happen during the delivery.
    private var remainingChanges = 0

    init(seed: UInt64) { random = SplitMix64(seed) }

    private var valueCount: Int { values.values.reduce(0) { $0 + $1.count } }

    /// Queues the parts of one change.
    private mutating func queueParts() {
      let count = chance(1, of: 10) ? 100 : 1 + random.below(3)
      for _ in 0..<count {
        now += 1
        let node = nodes[random.below(nodes.count)]
        switch random.below(4) {
        case 0:
          queue.add(check: node)
          queued[node] = now
        case 1:
          queue.add(.init(node: node, watcher: now))
          joins[now] = node
        default:
          queue.add(.init(node: node, value: now))
          values[node, default: []].append(now)
        }
      }
    }

    /// While no thread delivers, makes a change and delivers it, or removes a node.
    mutating func changeAndDeliver() {
      let leftCount = valueCount
      if chance(1, of: 8) { return remove() }
      queueParts()
      let own = now
      let begins = queue.begin()
      #expect(begins)
      deliver()
      // A thread leaves its own change undelivered only if many others wait before it.
      if leftCount <= DeliveryQueue<Int>.maxChangesOfOthers { expectNothingIsLeft(queuedBy: own) }
      if leftCount == 0, !othersHaveChanged { #expect(queue.isEmpty) }
    }

    /// The task delivers the rest.
    mutating func deliverRest() {
      if hasTask { queue.beginTask() }
      hasTask = false
      if queue.begin() { deliver() }
    }

    private mutating func deliver() {
      othersHaveChanged = false
      remainingChanges = random.below(150)
      while !queue.isDone(), queue.beginRound() {
        beginRound()
        var isAtEnd = false
        while !isAtEnd {
          if remainingChanges > 0, chance(1, of: 4) {
            remainingChanges -= 1
            if chance(1, of: 2) { callBack() } else { changeByOther() }
          }
          if chance(1, of: 40) { remove() }
          isAtEnd = queue.nextChange() == nil && queue.nextCheck() == nil && queue.nextJoin() == nil
        }
        queue.endRound()
      }
      let needsTask = queue.end()
      #expect(needsTask == (!queue.isEmpty && !hasTask))
      hasTask = hasTask || needsTask
    }

    /// The changes of the round must be the oldest undelivered ones of their nodes, in order.
    ///
    /// Its joins must be undelivered.
    private mutating func beginRound() {
      now += 1
      let round = queue.current
      for change in round.changes.reversed() {
        let first = values[change.node]?.first
        #expect(first == change.value)
        if first == change.value { values[change.node]?.removeFirst() }
      }
      for join in round.joins {
        let node = joins.removeValue(forKey: join.watcher)
        #expect(node == join.node)
      }
      for node in round.checks { checked[node] = now }
    }

    /// The delivering thread makes a change.
    private mutating func callBack() {
      queueParts()
      let meetsDirty = chance(1, of: 3)
      if queue.needsClosing(meetsDirty: meetsDirty) { _ = queue.close(at: Revision(now), meetsDirty: meetsDirty) }
    }

    private mutating func changeByOther() {
      queueParts()
      othersHaveChanged = true
      queue.endOtherChange(at: Revision(now))
    }

    private mutating func remove() {
      let node = nodes[random.below(nodes.count)]
      let removed = queue.remove(node)
      #expect(removed.sorted() == values[node, default: []])
      values[node] = nil
      queued[node] = nil
      joins = joins.filter { $0.value != node }
    }

    func expectNothingIsLeft() {
      #expect(!queue.mayHaveContents)
      expectNothingIsLeft(queuedBy: now)
    }

    /// Everything queued by a given time must have been delivered.
    private func expectNothingIsLeft(queuedBy end: Int) {
      #expect(!values.values.contains { $0.contains { $0 <= end } } && !joins.keys.contains { $0 <= end })
      for (node, time) in queued where time <= end { #expect(checked[node, default: 0] > time) }
    }

    private mutating func chance(_ one: Int, of all: Int) -> Bool { random.below(all) < one }
  }
}
