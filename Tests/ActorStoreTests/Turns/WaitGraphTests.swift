import ActorStoreTesting
import Testing

@testable import ActorStore

/// The graph of waits across stores, against a plain search for circles (P8).
@Suite struct WaitGraphTests {
  /// Store number `store` is at the turn with this ticket.
  private func turn(_ store: StoreID, _ ticket: Int) -> TurnID {
    var number = TicketNumber()
    for _ in 0..<ticket { number.advance() }
    return TurnID(store: store, ticket: number)
  }

  private let stores = (0..<5).map { _ in StoreID.next() }

  @Test func twoThatWaitForEachOther() {
    let (a, b) = (turn(stores[0], 1), turn(stores[1], 1))
    var graph = WaitGraph<Int>()
    let holders = [0: a, 1: b]
    let first = graph.begin(below: [a], for: 1) { holders[$0] }
    #expect(first != nil)
    let second = graph.begin(below: [b], for: 0) { holders[$0] }
    #expect(second == nil)
    if let first { #expect(graph.end(first) == 1) }
    #expect(graph.isEmpty)
  }

  @Test func anEndedWaitIsForgotten() {
    let (a, b) = (turn(stores[0], 1), turn(stores[1], 1))
    var graph = WaitGraph<Int>()
    if let wait = graph.begin(below: [a], for: 1, heldUpBy: { [0: a, 1: b][$0] }) { _ = graph.end(wait) }
    let back = graph.begin(below: [b], for: 0) { [0: a, 1: b][$0] }
    #expect(back != nil)
  }

  /// A ticket that does not wait any more holds nobody up, though nobody has said so yet.
  @Test func aWaitThatIsOverCountsNoMore() {
    let (a, b) = (turn(stores[0], 1), turn(stores[1], 1))
    var graph = WaitGraph<Int>()
    _ = graph.begin(below: [a], for: 1) { [0: a, 1: b][$0] }
    let back = graph.begin(below: [b], for: 0) { $0 == 0 ? a : nil }
    #expect(back != nil)
  }

  /// A turn handed on leads the waits to who has it now.
  @Test func handingOnChangesWhereAWaitLeads() {
    let (a, b, later) = (turn(stores[0], 1), turn(stores[1], 1), turn(stores[1], 2))
    var graph = WaitGraph<Int>()
    var holders = [0: a, 1: b]
    _ = graph.begin(below: [a], for: 1) { holders[$0] }
    holders[1] = later
    let circle = graph.begin(below: [later], for: 0) { holders[$0] }
    #expect(circle == nil)
    // And while the graph is walked.
    var third = WaitGraph<Int>()
    holders = [0: a, 1: b]
    _ = third.begin(below: [a], for: 1) { holders[$0] }
    let walked = third.begin(below: [later], for: 0) { target in
      defer { holders[1] = later }
      return holders[target]
    }
    #expect(walked == nil)
  }

  /// Random waits of five stores: a wait is refused exactly if the holders would be in a circle with it.
  @Test(arguments: 0..<200) func refusesExactlyWhatClosesACircle(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var graph = WaitGraph<Int>()
    let holders = stores.map { turn($0, 1) }
    var edges: [(id: WaitID, from: Set<Int>, to: Int)] = []
    func reaches(_ from: Int, _ goals: Set<Int>, _ seen: Set<Int> = []) -> Bool {
      if goals.contains(from) { return true }
      if seen.contains(from) { return false }
      return edges.contains { $0.from.contains(from) && reaches($0.to, goals, seen.union([from])) }
    }
    for _ in 0..<40 {
      if !edges.isEmpty, random.below(4) == 0 {
        let edge = edges.remove(at: random.below(edges.count))
        #expect(graph.end(edge.id) == edge.to)
        continue
      }
      let from = Set((0...random.below(2)).map { _ in random.below(5) })
      let to = random.below(5)
      let wait = graph.begin(below: from.map { holders[$0] }, for: to) { holders[$0] }
      #expect((wait == nil) == reaches(to, from))
      if let wait { edges.append((wait, from, to)) }
    }
    for edge in edges { _ = graph.end(edge.id) }
    #expect(graph.isEmpty)
  }
}
