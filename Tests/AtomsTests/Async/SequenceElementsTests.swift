import ActorStore
import ActorStoreTesting
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

  /// An atom whose sequences run on a thread of the test.
  private struct Subject<Element: Sendable> {
    let store: AtomStore
    let atom: AsyncSequenceAtom<Element>
    private let jobs = HeldJobs()
    private let observations = Recorder<AtomObservation>()

    /// - Parameters:
    ///   - store: The store.
    ///   - make: Makes the sequences.
    init(in store: AtomStore, _ make: @escaping @Sendable () -> AsyncThrowingStream<Element, any Error>) {
      self.store = store
      atom = AsyncSequenceAtom(make)
    }

    /// Runs a closure, and the sequence as far as it goes.
    func run(_ body: @escaping @Sendable () -> Void) {
      Task(executorPreference: jobs) { body() }
      jobs.run()
    }

    /// Adds a watcher, which begins the sequence.
    func watch(_ body: @escaping @Sendable (AsyncState<Element>) -> Void) {
      run { [observations, store, atom] in observations.add(store.observe(atom, body)) }
    }

    /// Runs a closure on another thread while this one delivers.
    func deliver(during body: @escaping @Sendable () -> Void) {
      let other = Atom(0)
      observations.add(store.observe(other) { if $0 == 1 { body() } })
      // A thread delivers its own change and a few rounds of others. Other changes deliver the rest.
      for number in 1..<6 { store.set(other, number) }
    }
  }

  /// An atom, and a closure that sets its elements and the end on another thread.
  private func makeSubject<Element: Sendable>(
    _ elements: [Element], error: Wrong? = nil
  ) -> (subject: Subject<Element>, finish: @Sendable () -> Void) {
    let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
    let subject = Subject(in: store) { stream }
    return (
      subject,
      {
        onAnotherThread {
          subject.run {
            for element in elements { continuation.yield(element) }
            continuation.finish(throwing: error)
          }
        }
      }
    )
  }

  @Test(arguments: [1, 64, 65, 1_000]) func a17_aWatcherGetsEveryElement(count: Int) async throws {
    let (values, (subject, finish)) = (Recorder<Int?>(), makeSubject(Array(1...count)))
    subject.watch { values.add($0.value) }
    var states = store.values(of: subject.atom).makeAsyncIterator()
    subject.deliver(during: finish)
    for value in [nil] + Array(1...count) { #expect(await states.next()?.value == value) }
    #expect(values.all == [nil] + Array(1...count))
    withExtendedLifetime(subject) {}
  }

  @Test func a17_elementsWithoutEquatableDoNotRepeat() {
    let (values, (subject, finish)) = (Recorder<Int?>(), makeSubject((1...3).map { Opaque(number: $0) }))
    subject.watch { values.add($0.value?.number) }
    subject.deliver(during: finish)
    #expect(values.all == [nil, 1, 2, 3])
    withExtendedLifetime(subject) {}
  }

  /// What a watcher gets of 200 elements, and what one gets that joins when all have been set.
  private func watchLate(error: Wrong? = nil) -> (values: [Int?], late: [Int?]) {
    let (values, late) = (Recorder<Int?>(), Recorder<Int?>())
    let (subject, finish) = makeSubject(Array(1...200), error: error)
    subject.watch { values.add($0.value) }
    subject.deliver {
      finish()
      subject.watch { late.add($0.value) }
    }
    withExtendedLifetime(subject) {}
    return (values.all, late.all)
  }

  @Test func a17_aNewWatcherBeginsWithTheNewestElement() {
    let seen = watchLate()
    #expect(seen.values == [nil] + Array(1...200) && seen.late == [200])
  }

  @Test func a17_aNewWatcherGetsTheStateAfterTheElementsOnce() {
    let seen = watchLate(error: Wrong())
    #expect(seen.values == [nil] + Array(1...200) + [nil] && seen.late == [nil])
  }

  /// The state is the same before and after the elements.
  @Test func a17_theStateAfterTheElementsIsDelivered() {
    let (values, runs) = (Recorder<AsyncState<Int>>(), Tally())
    let subject = Subject<Int>(in: store) {
      AsyncThrowingStream { continuation in
        if runs.next() == 2 { continuation.yield(1) }
        continuation.finish(throwing: Wrong())
      }
    }
    subject.watch { values.add($0) }
    #expect(values.all == [.loading, .failure(Wrong())])
    subject.deliver {
      // Nothing reads the state that is watched.
      onAnotherThread { subject.run { subject.store.callAsCurrent { subject.atom.reload() } } }
    }
    #expect(values.all.suffix(2) == [.success(1), .failure(Wrong())])
    withExtendedLifetime(subject) {}
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
