import ActorStoreTesting
import TestSize
import Testing

@testable import Atoms

/// Every interleaving of the steps of two and three callers.
@Suite struct GraphExhaustiveTests {
  typealias Threads = GraphThreads

  /// Two sources, a sum of both, and a sum of that and the first source.
  private static func diamond(
    _ threads: [[Threads.Call]], watched: Int? = nil, reactions: [Threads.Change] = [], isWarm: Bool = true
  ) -> Threads {
    Threads(
      sources: [1, 10], formulas: [.sum([0, 1]), .sum([2, 0])], watched: watched, reactions: reactions, isWarm: isWarm,
      threads)
  }

  /// A switch, two sources, and a node that reads the switch and one of the sources.
  private static func choice(
    _ threads: [[Threads.Call]], watched: Int? = nil, reactions: [Threads.Change] = []
  ) -> Threads {
    Threads(
      sources: [0, 5, 7], formulas: [.choice(0, 1, 2), .sum([3, 1])], watched: watched, reactions: reactions, threads)
  }

  /// Sets a source to the value of a node, plus one.
  private static func copy(_ node: Int, to other: Int) -> Threads.Call {
    .transact([.read(node), .write(other, plus: 1)])
  }

  /// Tries every interleaving, or a sample if the search is too large for the size of the tests.
  private func expectSound(
    _ threads: Threads, atLeast count: Double = 300, isLarge: Bool = false, takesMinutes: Bool = false
  ) {
    if isLarge && !TestSize.isFull || takesMinutes && !TestSize.isComplete {
      #expect(threads.problemInSample == nil)
      return
    }
    let interleavings = Interleavings(of: threads)
    #expect(interleavings.problem == nil)
    #expect(interleavings.count > count)
  }

  @Test func setsAndReadsOfTwo() {
    expectSound(Self.diamond([[.set(0, 2), .set(1, 20), .read(3)], [.read(3), .read(2), .read(3)]]), isLarge: true)
    expectSound(Self.diamond([[.set(0, 2), .read(3), .set(0, 1), .read(3)], [.set(1, 20), .read(3)]]), isLarge: true)
  }

  @Test func firstComputationsByTwo() {
    expectSound(Self.diamond([[.read(3), .set(0, 2)], [.read(2), .read(3)]], isWarm: false))
  }

  @Test func changingDependencies() {
    expectSound(Self.choice([[.set(0, 1), .set(2, 8), .read(4)], [.read(4), .set(0, 0), .read(4)]]), isLarge: true)
    expectSound(Self.choice([[.set(1, 6), .set(0, 1), .read(3)], [.read(3), .set(1, 9), .read(4)]]), isLarge: true)
  }

  @Test func equalResults() {
    expectSound(
      Self.choice([[.set(2, 8), .set(1, 5), .read(4)], [.read(4), .set(1, 6), .read(3), .read(4)]]), isLarge: true)
  }

  @Test func threeCallers() {
    expectSound(Self.diamond([[.set(0, 2), .read(2)], [.read(3)], [.set(1, 20)]]), isLarge: true)
    expectSound(Self.diamond([[.set(0, 2)], [.read(3)], [.read(3)]]))
    expectSound(Self.choice([[.set(0, 1), .read(3)], [.read(4)], [.set(1, 6), .set(2, 8)]]), isLarge: true)
  }

  @Test func transactions() {
    expectSound(Self.diamond([[Self.copy(2, to: 0)], [Self.copy(0, to: 1), .read(2)]]))
    expectSound(Self.diamond([[Self.copy(2, to: 0), .read(3)], [.set(1, 20), .read(3)]]), isLarge: true)
    expectSound(Self.diamond([[Self.copy(0, to: 0)], [Self.copy(0, to: 0)], [.read(2)]]), isLarge: true)
  }

  @Test func transactionsThatReadTheirOwnSets() {
    expectSound(
      Self.diamond([
        [.transact([.read(1), .write(0, plus: 1), .read(3), .write(1, plus: 1), .read(3)])], [.set(0, 2), .read(2)],
      ]))
    expectSound(
      Self.choice([
        [.transact([.read(4), .write(0, plus: 0), .read(3), .write(2, plus: 1), .read(4)])], [.set(2, 8), .read(3)],
      ]))
    expectSound(
      Self.diamond([
        [.transact([.write(0, plus: 2), .write(1, plus: 20), .read(2)])], [.peek(0), .peek(1), .peek(2)], [.read(3)],
      ]))
    expectSound(
      Self.diamond(
        [[.transact([.read(2), .write(0, plus: 1)])], [.transact([.read(0), .write(1, plus: 3)])]], watched: 3),
      isLarge: true)
  }

  @Test func deliveries() {
    expectSound(Self.diamond([[.set(0, 2), .set(1, 20)], [.set(0, 3)]], watched: 3))
    expectSound(Self.diamond([[.set(0, 2)], [.set(1, 20)], [.read(3)]], watched: 3), isLarge: true)
    expectSound(Self.choice([[.set(0, 1), .set(2, 8)], [.set(1, 6), .set(0, 0)]], watched: 4))
  }

  @Test func deliveriesOfSources() {
    expectSound(Self.diamond([[.set(0, 2), .set(0, 3)], [.set(0, 4)]], watched: 0), atLeast: 20)
    expectSound(
      Self.diamond([[Self.copy(2, to: 0)], [.set(1, 20), .set(0, 5)], [.peek(0)]], watched: 0), isLarge: true)
  }

  @Test func setsInCallbacks() {
    let changes = [Threads.Change(node: 0, value: 4), Threads.Change(node: 1, value: 30)]
    let sets: [[Threads.Call]] = [[.set(0, 2)], [.set(0, 3), .set(1, 20)]]
    expectSound(Self.diamond(sets, watched: 0, reactions: changes), atLeast: 20)
    expectSound(Self.diamond(sets, watched: 3, reactions: changes))
    expectSound(
      Self.diamond([[.set(0, 2), .peek(3)], [.read(3)]], watched: 3, reactions: [changes[0]]), isLarge: true)
  }

  @Test func readsWithoutTheLock() {
    expectSound(Self.diamond([[.set(0, 2), .read(3)], [.peek(0), .peek(2), .peek(3), .peek(2)]]))
    expectSound(Self.diamond([[.set(0, 2)], [.read(3)], [.peek(3), .peek(0)]]))
  }

  @Test func injections() {
    expectSound(Self.diamond([[.inject(2, .sum([1])), .read(3)], [.set(1, 20), .read(3), .read(2)]]), isLarge: true)
    expectSound(Self.diamond([[.inject(2, .sum([1])), .inject(2, nil)], [.set(0, 2), .read(3)]]), atLeast: 100)
    expectSound(Self.diamond([[.inject(2, .sum([1])), .read(2)], [Self.copy(2, to: 0)]], isWarm: false), atLeast: 100)
    // A source that becomes derived.
    expectSound(
      Self.diamond([[.inject(0, .sum([1])), .read(2)], [.read(0), .peek(2), .read(2)]]), atLeast: 100, isLarge: true)
    expectSound(Self.diamond([[.inject(0, .sum([1]))], [.set(1, 5), .set(1, 6)]], watched: 3), atLeast: 100)
    expectSound(Self.diamond([[.inject(2, .sum([1])), .read(2)], [.set(1, 20)], [.peek(2), .peek(3)]]))
  }

  @Test func deepStacks() {
    for var threads in [
      Self.diamond([[.set(0, 2), .read(3)], [.read(3), .set(1, 20)]]),
      Self.diamond([[Self.copy(2, to: 0)], [.set(1, 20), .read(3)]]),
      Self.choice([[.set(0, 1), .read(4)], [.set(2, 8), .read(4)]]),
    ] {
      threads.isDeep = true
      expectSound(threads)
    }
  }

  /// A source changes and changes back between a read and the end of the derivation.
  @Test func changesThatEndWhereTheyBegan() {
    let calls: [[Threads.Call]] = [[.read(2)], [.set(0, 2), .set(0, 1), .read(1)]]
    func threads(_ calls: [[Threads.Call]]) -> Threads {
      Threads(sources: [1], formulas: [.sum([0]), .sum([1])], isWarm: false, calls)
    }
    expectSound(threads(calls))
    expectSound(threads(calls + [[.read(2)]]), takesMinutes: true)
  }

  @Test func uses() {
    expectSound(Self.diamond([[.use(3), .read(3), .unuse(3), .read(2)], [.set(0, 2), .read(2)]]), isLarge: true)
    expectSound(Self.diamond([[.set(0, 2), .use(0), .read(3), .unuse(0)], [.use(3), .read(3), .unuse(3)]]))
    expectSound(Self.diamond([[.use(2), .unuse(2)], [.read(3), .set(1, 20)], [.peek(2), .peek(3)]]))
    expectSound(Self.diamond([[.use(2), .unuse(2), .set(0, 2)], [Self.copy(2, to: 1), .read(3)]]))
    expectSound(Self.choice([[.use(4), .set(0, 1), .read(4), .unuse(4)], [.set(2, 8), .read(3)]]))
    expectSound(Self.diamond([[.use(2), .unuse(2)], [.set(0, 2), .set(1, 20)]], watched: 3), atLeast: 100)
    expectSound(
      Self.diamond([[.use(2), .unuse(2), .inject(2, .sum([1])), .read(3)], [.use(3), .read(3), .unuse(3)]]),
      isLarge: true)
  }

  @Test func usesByThree() {
    expectSound(Self.diamond([[.use(3), .unuse(3)], [.read(3)], [.set(0, 2), .peek(2)]]))
    expectSound(Self.diamond([[.use(2), .read(3), .unuse(2)], [.use(3), .unuse(3)], [.set(1, 20)]]))
    expectSound(Self.choice([[.use(4), .unuse(4)], [.set(0, 1), .read(4)], [.use(3), .read(4)]]), isLarge: true)
  }

  @Test func releases() {
    expectSound(
      Self.diamond([[.read(3), .release(3), .read(2)], [.set(0, 2), .read(2), .set(1, 20), .read(2)]]), isLarge: true)
    expectSound(Self.diamond([[.release(3)], [.set(0, 2), .set(1, 20)], [.read(2), .read(2)]]))
    expectSound(Self.diamond([[.read(2), .release(3)], [.set(0, 2)], [.peek(3), .peek(2)]]))
    // A reader of an older revision reads the source after its release.
    let choice: [Threads.Formula] = [.choice(0, 1, 2), .sum([3])]
    expectSound(
      Threads(sources: [0, 5, 7], formulas: choice, [[.set(0, 1), .release(1), .read(4)], [.read(4), .set(2, 8)]]))
    expectSound(
      Threads(sources: [0, 5, 7], formulas: choice, watched: 4, [[.set(0, 1), .release(1)], [.set(2, 8), .peek(4)]]))
  }
}

#if DEBUG
  /// Plants each fault, and expects that an interleaving shows it.
  @Suite struct KnownBadGraphTests {
    typealias Threads = GraphThreads

    private func expectFound(_ threads: (GraphFaults) -> Threads, _ fault: GraphFaults) {
      #expect(Interleavings(of: threads([])).problem == nil)
      #expect(Interleavings(of: threads(fault)).problem != nil)
    }

    private func diamond(_ calls: [[Threads.Call]], watched: Int? = nil) -> (GraphFaults) -> Threads {
      { faults in
        Threads(
          sources: [1, 10], formulas: [.sum([0, 1]), .sum([2, 0])], watched: watched, faults: faults, calls)
      }
    }

    @Test func readsOfTheNewestRevision() {
      expectFound(diamond([[.set(0, 2), .set(1, 20)], [.read(3), .read(3)]]), .readNewest)
    }

    @Test func settlingWithoutACheck() {
      expectFound(diamond([[.set(0, 2), .set(1, 20)], [.read(3), .read(3)]]), .settleUnchecked)
    }

    @Test func committingWithoutACheck() {
      let increment = Threads.Call.transact([.read(0), .write(0, plus: 1)])
      expectFound(diamond([[increment], [increment]]), .commitUnchecked)
    }

    @Test func deliveringOnce() {
      expectFound(diamond([[.set(0, 2)], [.set(1, 20)]], watched: 3), .deliverOnce)
    }

    @Test func markingAfterTheValue() {
      expectFound(diamond([[.set(0, 2)], [.peek(3)]]), .markLate)
    }

    @Test func anInjectionUndoneByARun() {
      expectFound(diamond([[.inject(2, .sum([1])), .read(2)], [.set(0, 2), .read(2)]]), .undoInjection)
    }

    @Test func aReleaseDuringAnEvaluation() {
      expectFound(diamond([[.set(0, 1), .read(2)], [.use(2), .unuse(2), .read(2)]]), .dropClaimed)
    }

    @Test func aMarkLostDuringARun() {
      expectFound(diamond([[.set(0, 2), .set(1, 20)], [.read(3), .read(3)]]), .loseMark)
    }
  }
#endif
