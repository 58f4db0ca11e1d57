import ActorStoreTesting
import SeededRandom
import Testing

@testable import ActorStore

/// A wait graph for one thread, in which each store is an `Int`.
///
/// A ticket waits until a test ends its wait or marks its store as fulfilled.
private struct Graph {
  var table = WaitGraphStateMachine<Int, Int>()
  var holders: [Int: TurnID]
  /// The stores for which no ticket waits anymore, although the waits are still in the graph.
  var fulfilled: Set<Int> = []
  private(set) var questions = 0
  private var number: UInt64 = 0

  init(_ holders: [Int: TurnID]) {
    self.holders = holders
  }

  func place(_ store: Int) -> WaitPlace { WaitPlace(store: StoreID(number: UInt64(1_000 + store))) }

  private func isWaiting(_ turn: TurnID, _ place: WaitPlace) -> WaitGraphStateMachine<Int, Int>.Sample? {
    table.sample(of: turn, to: place).flatMap { fulfilled.contains($0.queue) ? nil : $0 }
  }

  /// Adds a wait of some turns for a store, as the shell does.
  ///
  /// Returns `false`, adding nothing, if the wait closes a cycle.
  mutating func begin(_ id: UInt64, _ turns: [TurnID], for store: Int, onQuestion: (inout Self) -> Void = { _ in })
    -> Bool
  {
    for turn in turns {
      number += 1
      let wait = Wait(ticket: TicketNumber(number: id), revocation: 0)
      table.add(.other(id), wait, of: turn, to: place(store), store, number: number)
      if isWaiting(turn, place(store))?.isSettled != true {
        var search = CycleSearch(from: turn, to: place(store), store, number: number)
        while let answer = answer(&search) {
          onQuestion(&self)
          if answer { continue }
          end(id, turns, for: store)
          return false
        }
      }
      table.settle(.other(id), of: turn, to: place(store))
    }
    return true
  }

  /// Answers one question of a search.
  ///
  /// Returns `nil` if the search has found no cycle, and `false` if it has found one.
  private mutating func answer(_ search: inout CycleSearch<Int>) -> Bool? {
    questions += 1
    switch search.question {
    case .holders(let store, _): search.answer(holders: [holders[store]].compactMap(\.self))
    case .lead(let turn, let index): search.answer(lead: table.lead(of: turn, before: index))
    case .isWaiting(let turn, let place): search.answer(waitingSince: isWaiting(turn, place)?.since)
    case .noCycle: return nil
    case .cycle: return false
    }
    return true
  }

  mutating func end(_ id: UInt64, _ turns: [TurnID], for store: Int) {
    for turn in turns { _ = table.remove(.other(id), of: turn, to: place(store)) }
  }
}

/// Compares the search for cycles of waits across stores with a plain search (P8).
@Suite struct CycleSearchTests {
  private let stores = (0..<5).map { _ in StoreID.next() }

  private func turn(_ store: Int, _ number: Int = 1) -> TurnID { TurnID(stores[store], number) }

  @Test func twoStoresThatWaitForEachOther() {
    var graph = Graph([0: turn(0), 1: turn(1)])
    let first = graph.begin(1, [turn(0)], for: 1)
    let second = graph.begin(2, [turn(1)], for: 0)
    #expect(first && !second)
    graph.end(1, [turn(0)], for: 1)
    #expect(graph.table.isEmpty)
  }

  @Test func anEndedWaitIsForgotten() {
    var graph = Graph([0: turn(0), 1: turn(1)])
    let there = graph.begin(1, [turn(0)], for: 1)
    graph.end(1, [turn(0)], for: 1)
    let back = graph.begin(2, [turn(1)], for: 0)
    #expect(there && back)
  }

  /// A wait whose turn has arrived does not close a cycle, even before its task has resumed.
  @Test func aFulfilledWaitDoesNotCloseACycle() {
    var graph = Graph([0: turn(0), 1: turn(1)])
    let there = graph.begin(1, [turn(0)], for: 1)
    graph.fulfilled = [1]
    let back = graph.begin(2, [turn(1)], for: 0)
    #expect(there && back)
  }

  /// After a hand-off, waits lead to the new holder.
  @Test func waitsLeadToTheNewHolder() {
    var graph = Graph([0: turn(0), 1: turn(1)])
    let there = graph.begin(1, [turn(0)], for: 1)
    graph.holders[1] = turn(1, 2)
    let back = graph.begin(2, [turn(1, 2)], for: 0)
    #expect(there && !back)
  }

  /// An action that ends during a search invalidates the path, so the search starts over.
  @Test func aPathThatChangesDuringTheSearchIsNotACycle() {
    var graph = Graph([0: turn(0), 1: turn(1), 2: turn(2)])
    let waits = [graph.begin(1, [turn(0)], for: 1), graph.begin(2, [turn(1)], for: 2)]
    var left = 4
    let closes = graph.begin(3, [turn(2)], for: 0) { graph in
      left -= 1
      // The action of store 0 ends after the search has passed it.
      if left == 0 { graph.holders[0] = nil }
    }
    #expect(waits == [true, true])
    #expect(left < 0 && closes)
  }

  /// A wait that ends before its search does, because its ticket was canceled, does not close a cycle.
  @Test func aWaitThatEndsDuringItsSearchDoesNotCloseACycle() {
    var graph = Graph([0: turn(0), 1: turn(1)])
    let there = graph.begin(1, [turn(0)], for: 1)
    let back = graph.begin(2, [turn(1)], for: 0) { graph in
      // This ends the new wait, not the earlier one.
      graph.fulfilled = [0]
      #expect(graph.questions < 100)
    }
    #expect(there && back)
  }

  /// Waits of one action for the same store share an edge.
  ///
  /// Of the action's many children, only one searches, and none of them makes other searches longer.
  @Test func theCostOfAWaitDoesNotGrowWithTheNumberOfWaits() {
    var graph = Graph([0: turn(0), 1: turn(1), 2: turn(2)])
    func children(_ count: Int, _ offset: UInt64) -> Int {
      let before = graph.questions
      for child in 0..<UInt64(count) {
        let begins = [
          graph.begin(offset + 2 * child, [turn(1)], for: 2), graph.begin(offset + 2 * child + 1, [turn(0)], for: 1),
        ]
        #expect(begins == [true, true])
      }
      return graph.questions - before
    }
    #expect(children(1_000, 0) < 20)
    #expect(children(1_000, 10_000) == 0)
  }

  /// Among random waits of five stores, a wait is refused if and only if it closes a cycle.
  @Test(arguments: 0..<200) func refusesExactlyTheWaitsThatCloseACycle(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var graph = Graph(Dictionary(uniqueKeysWithValues: stores.indices.map { ($0, turn($0)) }))
    var edges: [(id: UInt64, from: [Int], to: Int)] = []
    func reaches(_ from: Int, _ goals: [Int], _ seen: Set<Int> = []) -> Bool {
      if goals.contains(from) { return true }
      if seen.contains(from) { return false }
      return edges.contains { $0.from.contains(from) && reaches($0.to, goals, seen.union([from])) }
    }
    for step in 0..<60 as Range<UInt64> {
      if !edges.isEmpty, random.below(4) == 0 {
        let edge = edges.remove(at: random.below(edges.count))
        graph.end(edge.id, edge.from.map { turn($0) }, for: edge.to)
        continue
      }
      let from = Array(Set((0...random.below(2)).map { _ in random.below(5) }))
      let to = random.below(5)
      let begins = graph.begin(step, from.map { turn($0) }, for: to)
      #expect(begins != reaches(to, from))
      if begins { edges.append((step, from, to)) }
    }
    for edge in edges { graph.end(edge.id, edge.from.map { turn($0) }, for: edge.to) }
    #expect(graph.table.isEmpty)
  }
}
