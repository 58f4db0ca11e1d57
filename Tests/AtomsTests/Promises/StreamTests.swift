import Testing

@testable import Atoms

/// Each stream begins with the current value, and has each later one until the store goes (A17).
@Suite struct StreamTests {
  /// Runs a closure with a store that goes afterward, so that its streams end.
  private func withTemporaryStore<Result>(_ body: (AtomStore) -> Result) -> Result { body(AtomStore()) }

  private func all<Value: Sendable>(_ stream: AsyncStream<Value>) async -> [Value] {
    await stream.reduce(into: []) { $0.append($1) }
  }

  @Test func a17_aStreamBeginsWithTheCurrentValueAndEndsOnTheLast() async {
    let a = Atom(1)
    let double = DerivedAtom { a.value * 2 }
    let streams = withTemporaryStore { store -> [AsyncStream<Int>] in
      store.set(a, 2)
      let early = [store.values(of: a), store.values(of: double)]
      store.set(a, 3)
      let late = [store.values(of: a), store.values(of: double)]
      store.set(a, 4)
      return early + late
    }
    #expect(await all(streams[0]) == [2, 3, 4])
    #expect(await all(streams[1]) == [4, 6, 8])
    #expect(await all(streams[2]) == [3, 4])
    #expect(await all(streams[3]) == [6, 8])
  }

  @Test func a17_aStreamHasNoRepeats() async {
    let a = Atom(1)
    let tens = DerivedAtom { a.value / 10 }
    let streams = withTemporaryStore { store -> [AsyncStream<Int>] in
      let streams = [store.values(of: a), store.values(of: tens)]
      for value in [1, 2, 2, 15, 15, 19, 20] { store.set(a, value) }
      return streams
    }
    #expect(await all(streams[0]) == [1, 2, 15, 19, 20])
    #expect(await all(streams[1]) == [0, 1, 2])
  }

  @Test func a17_aTransactionIsOneChange() async {
    let (a, b) = (Atom(1), Atom(2))
    let sum = DerivedAtom { a.value + b.value }
    let stream = withTemporaryStore { store -> AsyncStream<Int> in
      let stream = store.values(of: sum)
      for (one, other) in [(10, 20), (20, 10), (20, 20)] {
        store.transaction {
          a.value = one
          b.value = other
        }
      }
      return stream
    }
    #expect(await all(stream) == [3, 30, 40])
  }

  @Test func a17_aSlowReaderKeepsTheNewestValues() async {
    let a = Atom(0)
    let streams = withTemporaryStore { store -> [AsyncStream<Int>] in
      let streams = [1, 2, 9].map { store.values(of: a, bufferingPolicy: .bufferingNewest($0)) }
      for value in 1...5 { store.set(a, value) }
      return streams
    }
    #expect(await all(streams[0]) == [5])
    #expect(await all(streams[1]) == [4, 5])
    #expect(await all(streams[2]) == [0, 1, 2, 3, 4, 5])
  }

  @Test func a17_theStreamsOfAnAtomAreThoseOfTheCurrentStore() async {
    let a = Atom(0)
    let streams = withTemporaryStore { store -> [AsyncStream<Int>] in
      store.callAsCurrent { () -> [AsyncStream<Int>] in
        a.value = 1
        let streams = [a.values, a.values(bufferingPolicy: .bufferingNewest(1))]
        a.value = 2
        AtomStore().set(a, 3)
        return streams
      }
    }
    #expect(await all(streams[0]) == [1, 2])
    #expect(await all(streams[1]) == [2])
  }

  @Test func a17_aReaderThatKeepsUpHasEachValueInOrder() async {
    let a = Atom(0)
    let double = DerivedAtom { a.value * 2 }
    let readers = withTemporaryStore { store -> [Task<[Int], Never>] in
      let readers = [store.values(of: a), store.values(of: double)].map { stream in Task { await all(stream) } }
      for value in 1...1_000 { store.set(a, value) }
      return readers
    }
    #expect(await readers[0].value == Array(0...1_000))
    #expect(await readers[1].value == (0...1_000).map { $0 * 2 })
  }

  @Test func a17_concurrentSetsReachAStreamInOrder() async {
    let a = Atom(0)
    let stream = withTemporaryStore { store -> AsyncStream<Int> in
      let stream = store.values(of: a)
      inThreads(4) { _ in for _ in 0..<100 { store.update(a) { $0 += 1 } } }
      return stream
    }
    #expect(await all(stream) == Array(0...400))
  }

  @Test func a17_aStreamThatIsDroppedOrCanceledStopsWatching() async {
    let (store, a) = (AtomStore(), Atom(1).debugLabel("a"))
    do {
      let stream = store.values(of: a)
      #expect(store.graph.node("a")?.watchers == 1)
      withExtendedLifetime(stream) {}
    }
    #expect(store.graph.node("a")?.watchers == 0)
    let stream = store.values(of: a)
    #expect(store.graph.node("a")?.watchers == 1)
    let reader = Task { await all(stream) }
    reader.cancel()
    _ = await reader.value
    #expect(store.graph.node("a")?.watchers == 0)
  }
}
