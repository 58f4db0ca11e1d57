import Testing

@testable import Atoms

/// The nodes of setters, without threads.
@Suite struct SetterNodeTests {
  private typealias Logic = GraphStateMachine<Int>

  private func makeSetter(_ logic: inout Logic, reads: Set<NodeID>) -> NodeID {
    let setter = logic.addSetter()
    let isNeeded = logic.settleSetter(setter, reads: reads)
    #expect(isNeeded)
    return setter
  }

  private func cleanSetters(_ logic: Logic, above nodes: [NodeID]) -> [NodeID] {
    var known = Set(nodes)
    return logic.cleanSetters(above: nodes, except: &known)
  }

  private func set(_ node: NodeID, in logic: inout Logic) {
    logic.advance()
    logic.replaceValue(of: node, old: nil, new: nil)
  }

  @Test func onlyAChangeOfAReadConcernsASetter() {
    var logic = Logic()
    let (one, other) = (logic.add(isSource: true), logic.add(isSource: true))
    let setter = makeSetter(&logic, reads: [one])
    #expect(cleanSetters(logic, above: [one, other]) == [setter])
    #expect(!logic.mayConcernSetters([other]) && logic.dirtySetters.isEmpty)
    set(other, in: &logic)
    #expect(logic.dirtySetters.isEmpty)
    set(one, in: &logic)
    #expect(logic.dirtySetters == [setter] && cleanSetters(logic, above: [one]).isEmpty)
    #expect(logic.mayConcernSetters([other]))
    let isNeeded = logic.settleSetter(setter, reads: logic.reads(of: setter))
    #expect(isNeeded && logic.dirtySetters.isEmpty && cleanSetters(logic, above: [one]) == [setter])
  }

  @Test func aSetterThatReadsAValueOfATransactionStaysDirty() {
    var logic = Logic()
    let derived = logic.add(isSource: false)
    let setter = makeSetter(&logic, reads: [derived])
    #expect(logic.dirtySetters == [setter])
  }

  @Test func aReadThatIsGoneDoesNotCount() {
    var logic = Logic()
    let (one, other) = (logic.add(isSource: true), logic.add(isSource: true))
    let setter = makeSetter(&logic, reads: [one, other])
    _ = logic.remove(one)
    #expect(logic.dirtySetters == [setter] && logic.reads(of: setter) == [other])
    var isNeeded = logic.settleSetter(setter, reads: logic.reads(of: setter))
    #expect(isNeeded)
    _ = logic.remove(other)
    isNeeded = logic.settleSetter(setter, reads: logic.reads(of: setter))
    #expect(!isNeeded)
    logic.removeSetter(setter)
    #expect(logic.dirtySetters.isEmpty && logic[setter].flags == .vacant)
  }

  /// Each round checks a setter at most once.
  @Test func roundsFollowTheOrderOfTheSets() {
    var rounds = SetterRounds()
    let places = (0..<4).map { SetterRounds.Place(order: UInt64($0), atom: NodeID(index: Int32($0))) }
    rounds.add([places[1], places[0], places[1]])
    let first = rounds.next()
    #expect(first == places[0].atom && rounds.count == 1)
    // The first one belongs to the next round.
    rounds.add([places[3], places[0], places[1], places[2]])
    #expect(rounds.rest == [1, 2, 3, 0].map { places[$0].atom })
    var rest: [NodeID] = []
    while let next = rounds.next() { rest.append(next) }
    #expect(rest == [1, 2, 3, 0].map { places[$0].atom } && rounds.count == 2)
  }
}
