import Testing

@testable import ActorStoreEvents

@Suite struct DefaultsStateMachineTests {
  private typealias Machine = DefaultsStateMachine<String, Int, Int>

  private func name(_ start: Machine.Start) -> String {
    switch start {
    case .made(let store): "made \(store)"
    case .make: "make"
    case .wait(let waiter): "wait \(waiter)"
    case .cycle(let facades): "cycle \(facades.joined(separator: " "))"
    }
  }

  @Test func e8_theFirstUserMakesTheStoreAndOthersWait() {
    var machine = Machine()
    #expect(name(machine.start("a", madeFor: []) { 1 }) == "make")
    #expect(name(machine.start("a", madeFor: []) { 2 }) == "wait 1")
    #expect(machine.end("a", 7) == 1)
    #expect(name(machine.start("a", madeFor: []) { 3 }) == "made 7")
  }

  @Test func e8_aMakerThatUsesItsOwnFacadeIsACycle() {
    var machine = Machine()
    #expect(name(machine.start("a", madeFor: []) { 1 }) == "make")
    #expect(name(machine.start("b", madeFor: ["a"]) { 2 }) == "make")
    #expect(name(machine.start("a", madeFor: ["a", "b"]) { 3 }) == "cycle a b a")
  }

  /// The first maker waits in the middle of making another store.
  @Test(arguments: [false, true]) func e8_aCycleThroughANestedMakerIsFound(secondWaitsFirst: Bool) {
    var machine = Machine()
    #expect(name(machine.start("a", madeFor: []) { 1 }) == "make")
    #expect(name(machine.start("b", madeFor: ["a"]) { 2 }) == "make")
    #expect(name(machine.start("c", madeFor: []) { 3 }) == "make")
    if secondWaitsFirst {
      #expect(name(machine.start("a", madeFor: ["c"]) { 4 }) == "wait 1")
      #expect(name(machine.start("c", madeFor: ["a", "b"]) { 5 }) == "cycle a b c a")
    } else {
      #expect(name(machine.start("c", madeFor: ["a", "b"]) { 5 }) == "wait 3")
      #expect(name(machine.start("a", madeFor: ["c"]) { 4 }) == "cycle c a c")
    }
  }

  @Test func e8_twoMakersThatWaitForEachOtherAreACycle() {
    var machine = Machine()
    #expect(name(machine.start("a", madeFor: []) { 1 }) == "make")
    #expect(name(machine.start("b", madeFor: []) { 2 }) == "make")
    #expect(name(machine.start("b", madeFor: ["a"]) { 3 }) == "wait 2")
    #expect(name(machine.start("a", madeFor: ["b"]) { 4 }) == "cycle b a b")
    // The wait of the first maker ends with the second store.
    #expect(machine.end("b", 8) == 2)
    machine.endWait(madeFor: ["a"])
    #expect(name(machine.start("c", madeFor: []) { 5 }) == "make")
    #expect(name(machine.start("a", madeFor: ["c"]) { 6 }) == "wait 1")
  }
}
