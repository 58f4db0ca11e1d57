import Synchronization
import Testing

@testable import Atoms

/// The rounds of a delivery, one after the other.
@Suite struct RoundTests {
  private let store = AtomStore()
  private let source = Atom(0)

  /// The calls in the callback change nothing that is watched.
  ///
  /// If their rounds nested, the stack would overflow.
  @Test func emptyRoundsDoNotNest() {
    let derived = DerivedAtom { source.value }
    let load = AsyncAtom { 0 }
    let seen = Mutex<[Int]>([])
    let observation = store.observe(derived) { value in
      seen.withLock { $0.append(value) }
      if value != 1 { return }
      source.value = 2
      for _ in 0..<20_000 { load.cancel() }
    }
    store.set(source, 1)
    #expect(seen.withLock { $0 } == [0, 1, 2])
    observation.cancel()
  }

  /// A large transaction must not make the store keep the memory of its round.
  @Test func aLargeRoundLeavesNoMemoryBehind() {
    let sources = (0..<1_000).map { _ in Atom(0) }
    let derived = sources.map { source in DerivedAtom { source.value } }
    let count = Mutex(0)
    let observations =
      sources.map { store.observe($0) { _ in count.withLock { $0 += 1 } } }
      + derived.map { store.observe($0) { _ in count.withLock { $0 += 1 } } }
    for value in 1...3 {
      store.transaction { for source in sources { source.value = value } }
      store.set(source, value)
    }
    #expect(count.withLock { $0 } == 8_000)
    let kept = store.core.state.withLock { $0.logic.deliveries.capacities }
    #expect(kept.allSatisfy { $0 <= 128 }, "\(kept)")
    for observation in observations { observation.cancel() }
  }
}
