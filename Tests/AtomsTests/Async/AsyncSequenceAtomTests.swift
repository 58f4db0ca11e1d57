import ActorStore
import Testing

@testable import Atoms

/// Atoms with the elements of asynchronous sequences (A24 to A29).
@Suite struct AsyncSequenceAtomTests {
  private struct Wrong: Error {}

  private let store = AtomStore()
  private let number = Atom(1)

  /// The next states of an atom.
  private func states<Value: Sendable>(_ count: Int, of atom: AsyncSequenceAtom<Value>) async -> [AsyncState<Value>] {
    var states: [AsyncState<Value>] = []
    for await state in store.values(of: atom) {
      states.append(state)
      if states.count == count { break }
    }
    return states
  }

  @Test func a29_elementsAreSuccessesAndTheEndKeepsTheLast() async throws {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let atom = AsyncSequenceAtom(stream, keepAlive: true)
    var states = store.values(of: atom).makeAsyncIterator()
    #expect(await states.next() == .loading)
    for element in 1...3 {
      continuation.yield(element)
      #expect(await states.next() == .success(element))
    }
    continuation.finish()
    #expect(store.get(atom) == .success(3) && store.get(atom.latest) == 3)
    // An element that equals the last one is no change.
    let pairs = AsyncSequenceAtom(keepAlive: true) {
      AsyncStream<Int> { continuation in
        for element in [1, 1, 2] { continuation.yield(element) }
        continuation.finish()
      }
    }
    var others = store.values(of: pairs).makeAsyncIterator()
    for state in [AsyncState.loading, .success(1), .success(2)] { #expect(await others.next() == state) }
  }

  @Test func a29_anErrorIsAFailure() async {
    let atom = PublisherAtom(keepAlive: true) {
      AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Wrong())
      }
    }
    #expect(await states(3, of: atom) == [.loading, .success(1), .failure(Wrong())])
    #expect(store.get(atom.latest) == 1)
  }

  @Test func a26_aChangeMakesAnotherSequence() async {
    let (ended, continuations) = (Recorder<Int>(), Recorder<AsyncStream<Int>.Continuation>())
    let atom = AsyncSequenceAtom(keepAlive: true) { [number] () -> AsyncStream<Int> in
      let base = number.value * 10
      return AsyncStream { continuation in
        continuation.onTermination = { _ in ended.add(base) }
        continuation.yield(base)
        continuations.add(continuation)
      }
    }
    /// The sequence waits until the stream has its first element, because a stream may combine changes (A17).
    func expectElements(from first: Int) async {
      var states = store.values(of: atom).makeAsyncIterator()
      #expect(await states.next() == .loading)
      #expect(await states.next() == .success(first))
      continuations.all.last?.yield(first + 1)
      #expect(await states.next() == .success(first + 1))
    }
    await expectElements(from: 10)
    store.set(number, 2)
    await expectElements(from: 20)
    #expect(ended.all == [10])
    store.callAsCurrent { atom.reload() }
    await expectElements(from: 20)
    #expect(ended.all == [10, 20] && store.get(atom) == .success(21))
    #expect(!store.diagnostics.isPinned)
  }

  @Test func a28_cancelKeepsTheLastElement() async {
    let ended = Gate()
    let atom = AsyncSequenceAtom(keepAlive: true) {
      AsyncStream<Int> { continuation in
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(1)
      }
    }
    #expect(await states(2, of: atom) == [.loading, .success(1)])
    store.callAsCurrent { atom.cancel() }
    await ended.pass()
    #expect(store.get(atom) == .success(1))
  }

  @Test func a29_aReleaseEndsTheSequence() async {
    let (ended, made) = (Gate(), Tally())
    let atom = AsyncSequenceAtom { () -> AsyncStream<Int> in
      let number = made.next()
      return AsyncStream { continuation in
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(number)
      }
    }
    #expect(await states(2, of: atom) == [.loading, .success(1)])
    await ended.pass()
    #expect(await states(2, of: atom) == [.loading, .success(2)])
  }

  /// Iterating over a sequence keeps no store alive.
  @Test func a32_aStoreThatGoesEndsItsSequences() async {
    let ended = Gate()
    let atom = AsyncSequenceAtom(keepAlive: true) {
      AsyncStream<Int> { continuation in
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(1)
      }
    }
    do {
      let store = AtomStore()
      for await state in store.values(of: atom) where !state.loading { break }
    }
    await ended.pass()
  }
}
