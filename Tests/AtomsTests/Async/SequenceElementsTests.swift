import ActorStore
import ActorStoreTesting
import Foundation
import Testing

@testable import Atoms

/// Watchers of sequences get every element, and the end is visible (A17, A29).
@Suite struct SequenceElementsTests {
  private struct Wrong: Error {}

  /// A value without `Equatable`.
  private struct Opaque: Sendable {
    let number: Int
  }

  private let store = AtomStore()
  private let other = Atom(0)

  /// An atom with some elements, the first of which arrives when another thread delivers.
  ///
  /// That thread waits in a callback of `other` until all elements have been set.
  private struct Subject<Element: Sendable> {
    let atom: AsyncSequenceAtom<Element>
    let delivering: AtomObservation

    init(
      _ elements: [Element], in store: AtomStore, _ other: Atom<Int>, error: Wrong? = nil,
      body: @escaping @Sendable () -> Void = {}
    ) {
      let (begin, isOver, given) = (Gate(), DispatchSemaphore(value: 0), Tally())
      atom = AsyncSequenceAtom {
        AsyncThrowingStream {
          await begin.pass()
          if given.value < elements.count { return elements[given.next() - 1] }
          isOver.signal()
          if let error { throw error }
          return nil
        }
      }
      delivering = store.observe(other) { number in
        if number != 1 { return }
        begin.open()
        isOver.wait()
        body()
      }
    }
  }

  /// Begins the delivery on a thread that is free to wait, unlike those of tasks.
  private func deliverElsewhere() async {
    await withCheckedContinuation { continuation in
      Thread { [store, other] in
        store.set(other, 1)
        continuation.resume()
      }.start()
    }
  }

  @Test(arguments: [1, 64, 65, 1_000]) func a17_aWatcherGetsEveryElement(count: Int) async throws {
    let (values, subject) = (Recorder<Int?>(), Subject(Array(1...count), in: store, other))
    let observation = store.observe(subject.atom) { values.add($0.value) }
    var states = store.values(of: subject.atom).makeAsyncIterator()
    await deliverElsewhere()
    // A thread delivers its own change and a few of these rounds. Other changes and a task deliver the rest.
    for number in 2..<6 { store.set(other, number) }
    for value in [nil] + Array(1...count) { #expect(await states.next()?.value == value) }
    #expect(values.all == [nil] + Array(1...count))
    withExtendedLifetime((subject, observation)) {}
  }

  @Test func a17_elementsWithoutEquatableDoNotRepeat() async {
    let (values, subject) = (Recorder<Int?>(), Subject((1...3).map { Opaque(number: $0) }, in: store, other))
    let observation = store.observe(subject.atom) { values.add($0.value?.number) }
    await deliverElsewhere()
    _ = try? await store.callAsCurrent { try await subject.atom.lastElement }
    store.set(other, 2)
    #expect(values.all == [nil, 1, 2, 3])
    withExtendedLifetime((subject, observation)) {}
  }

  /// What a watcher gets of 200 elements, and what one gets that joins when all have been set.
  private func watchLate(error: Wrong? = nil) async -> (values: [Int?], late: [Int?]) {
    let (values, late, observations) = (Recorder<Int?>(), Recorder<Int?>(), Recorder<AtomObservation>())
    let atom = Locked<AsyncSequenceAtom<Int>?>(nil)
    let subject = Subject(Array(1...200), in: store, other, error: error) { [store] in
      guard let atom = atom.withLock({ $0 }) else { return }
      // The error follows the last element.
      while error != nil, !store.callAsCurrent({ atom.isFinished }) {}
      observations.add(store.observe(atom) { late.add($0.value) })
    }
    atom.withLock { $0 = subject.atom }
    let observation = store.observe(subject.atom) { values.add($0.value) }
    await deliverElsewhere()
    _ = try? await store.callAsCurrent { try await subject.atom.lastElement }
    store.set(other, 2)
    withExtendedLifetime((subject, observation, observations)) {}
    return (values.all, late.all)
  }

  @Test func a17_aNewWatcherBeginsWithTheNewestElement() async {
    let seen = await watchLate()
    #expect(seen.values == [nil] + Array(1...200) && seen.late == [200])
  }

  @Test func a17_aNewWatcherGetsTheStateAfterTheElementsOnce() async {
    let seen = await watchLate(error: Wrong())
    #expect(seen.values == [nil] + Array(1...200) + [nil] && seen.late == [nil])
  }

  /// The state is the same before and after the elements.
  @Test func a17_theStateAfterTheElementsIsDelivered() async throws {
    let (values, runs, isOver) = (Recorder<AsyncState<Int>>(), Tally(), DispatchSemaphore(value: 0))
    let atom = AsyncSequenceAtom {
      AsyncThrowingStream<Int, any Error> { continuation in
        if runs.next() == 2 { continuation.yield(1) }
        continuation.finish(throwing: Wrong())
      }
    }
    let observation = store.observe(atom) { values.add($0) }
    _ = try? await store.callAsCurrent { try await atom.lastElement }
    store.set(other, -1)
    #expect(values.all == [.loading, .failure(Wrong())])
    let begun = Gate()
    let delivering = store.observe(other) { number in
      if number != 1 { return }
      begun.open()
      isOver.wait()
    }
    async let delivery: Void = deliverElsewhere()
    await begun.pass()
    store.callAsCurrent { atom.reload() }
    // Only the runs are read, and not the state that is watched.
    while !store.callAsCurrent({ atom.isFinished }) { await Task.yield() }
    isOver.signal()
    await delivery
    store.set(other, 2)
    #expect(values.all.suffix(2) == [.success(1), .failure(Wrong())])
    withExtendedLifetime((observation, delivering)) {}
  }

  /// While one task sets another watched atom, all elements arrive, in every schedule that is tried.
  @Test func a17_noScheduleLosesAnElement() throws {
    try Simulation.explore(.random(seed: 1), schedules: 200) {
      let (store, other, values) = (AtomStore(), Atom(0), Recorder<Int?>())
      let atom = AsyncSequenceAtom {
        AsyncStream<Int> { continuation in
          for element in 1...5 { continuation.yield(element) }
          continuation.finish()
        }
      }
      let observations = [store.observe(atom) { values.add($0.value) }, store.observe(other) { _ in }]
      async let sets: Void = { for number in 1...5 { store.set(other, number) } }()
      let last = try await store.callAsCurrent { try await atom.lastElement }
      await sets
      try await SimulationClock().sleep(for: .seconds(1))
      try Simulation.expect(last == 5 && values.all == [nil, 1, 2, 3, 4, 5], "\(values.all)")
      withExtendedLifetime(observations) {}
    }
  }

  // MARK: The end

  @Test func a29_theEndIsVisible() async throws {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let atom = AsyncSequenceAtom(stream, keepAlive: true)
    let isFinished = DerivedAtom { atom.isFinished }
    var ends = store.values(of: isFinished).makeAsyncIterator()
    #expect(await ends.next() == false)
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    #expect(await ends.next() == true)
    #expect(store.get(atom) == .success(2))
    try await store.callAsCurrent {
      let last = try await atom.lastElement
      #expect(atom.isFinished && last == 2)
    }
  }

  @Test func a29_anEmptySequenceIsAFailure() async {
    let atom = AsyncSequenceAtom(keepAlive: true) { AsyncStream<Int> { $0.finish() } }
    await store.callAsCurrent {
      await #expect(throws: EmptySequence()) { try await atom.lastElement }
      #expect(atom.isFinished && atom.value == .failure(EmptySequence()) && atom.latest.value == nil)
    }
    #expect("\(EmptySequence())".contains("without an element"))
  }

  @Test func a29_anErrorIsTheEnd() async {
    let atom = AsyncSequenceAtom(keepAlive: true) {
      AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Wrong())
      }
    }
    await store.callAsCurrent {
      await #expect(throws: Wrong.self) { try await atom.lastElement }
      #expect(atom.isFinished && atom.latest.value == 1)
    }
  }

  /// A change of a dependency begins another sequence, which has not ended.
  @Test func a29_anotherSequenceHasNotEnded() async throws {
    let base = Atom(1)
    let atom = AsyncSequenceAtom(keepAlive: true) {
      let base = base.value
      return AsyncStream<Int> { continuation in
        continuation.yield(base)
        if base == 1 { continuation.finish() }
      }
    }
    try await store.callAsCurrent {
      let first = try await atom.lastElement
      base.value = 2
      #expect(!atom.isFinished)
      atom.cancel()
      #expect(atom.isFinished)
      atom.reload()
      #expect(!atom.isFinished)
      base.value = 1
      let last = try await atom.lastElement
      #expect(first == 1 && last == 1)
    }
  }

  @Test func a32_aRunThatWaitsForTheEndKeepsNoStoreAlive() async {
    let (begun, ended) = (Gate(), Gate())
    let atom = AsyncSequenceAtom(keepAlive: true) {
      AsyncStream<Int> { continuation in
        begun.open()
        continuation.yield(1)
      }
    }
    let waiting = AsyncAtom(keepAlive: true) {
      defer { ended.open() }
      return try await atom.lastElement
    }
    do {
      let store = AtomStore()
      #expect(store.get(waiting).loading)
      await begun.pass()
    }
    await ended.pass()
  }

  /// The last element becomes a dependency of a run that has waited for it.
  @Test func a27_aRunFollowsTheLastElement() async throws {
    let base = Atom(1)
    let atom = AsyncSequenceAtom {
      let base = base.value
      return AsyncStream<Int> { continuation in
        continuation.yield(base)
        continuation.finish()
      }
    }
    let double = AsyncAtom(keepAlive: true) { try await atom.lastElement * 2 }
    #expect(try await store.result(of: double) == 2)
    store.set(base, 2)
    #expect(try await store.result(of: double) == 4)
  }

  @Test func a29_anInjectedSequenceEnds() async throws {
    let atom = AsyncSequenceAtom(keepAlive: true) { AsyncStream<Int> { _ in } }
    store.inject(atom) {
      AsyncStream<Int> { continuation in
        continuation.yield(7)
        continuation.finish()
      }
    }
    try await store.callAsCurrent {
      let last = try await atom.lastElement
      #expect(last == 7 && atom.isFinished)
    }
    store.inject(atom, value: .success(8))
    try await store.callAsCurrent {
      let last = try await atom.lastElement
      #expect(last == 8 && atom.isFinished)
    }
  }
}
