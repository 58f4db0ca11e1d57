import Dispatch
import Observation
import TestSize
import Testing

@testable import ActorStore

/// `ObservableValue` mirrors the state on the main actor.
@MainActor @Suite struct ObservableValueTests {
  @Test func startsWithTheStateAtTheTimeOfTheCall() async {
    let store = Store(Log(entries: [1]))
    #expect(store.select().observable(initial: Log()).value.entries == [1])
    #expect(store.select(\.entries.count).observable(initial: 0).value == 1)
    #expect(store.select(Selection { $0.entries.last }).observable(initial: nil).value == 1)
    store.close()
    await store.dispatch(Append(1))
    #expect(store.select().observable(initial: Log()).value.entries == [1])
  }

  /// Inside a mutation, no state is readable.
  @Test func startsWithTheInitialValueWhileTheStateIsEdited() async {
    let store = Store(Log())
    let made = Witness<ObservableValue<Log>>()
    // An idle store runs a sent mutation inside the call, here on the main actor.
    store.send { log in
      log.entries = [1]
      made.saw(MainActor.assumeIsolated { store.select().observable(initial: Log(entries: [-1])) })
      log.entries = [1, 2]
    }
    #expect(made.all.count == 1)
    for observer in made.all {
      #expect(observer.value.entries == [-1])
      await observer.follow(until: { $0.entries == [1, 2] })
    }
  }

  @Test func startsWithTheCurrentStateWithoutAnInitialValue() async {
    let store = Store(Log(entries: [1]))
    #expect(await store.select().observable.value.entries == [1])
    #expect(await store.select(\.entries.count).observable.value == 1)
    #expect(await store.select(Selection { $0.entries.last }).observable.value == 1)
    store.close()
    #expect(await store.select().observable.value.entries == [1])
  }

  /// Without an initial value, the initializer waits for the mutation that edits the state.
  @Test func startsWithTheCommitOfTheMutationThatEditsTheState() async {
    let store = Store(Log())
    let (isEditing, release) = (Gate(), DispatchSemaphore(value: 0))
    let busy = BusyActor()
    async let edited: Void = busy.call { _ in
      store.send { log in
        isEditing.open()
        release.wait()
        log.entries = [1, 2]
      }
    }
    await isEditing.wait()
    async let state = store.select().observable
    async let count = store.select(\.entries.count).observable
    async let last = store.select(Selection { $0.entries.last }).observable
    for _ in 0..<20 { await Task.yield() }
    release.signal()
    await edited
    #expect(await state.value.entries == [1, 2])
    #expect(await count.value == 2)
    #expect(await last.value == 2)
  }

  /// The state is readable between a commit and the evaluation of its selections.
  @Test func startsWithTheStateBeforeSelectionsAreEvaluated() async {
    let store = Store(Log())
    let counts = store.select(\.entries.count).values
    let made = Witness<ObservableValue<Int>>()
    let states = store.states { previous, _ in
      // The committing task calls the filter, here on the main actor.
      if previous != nil {
        made.saw(MainActor.assumeIsolated { store.select(\.entries.count).observable(initial: -1) })
      }
      return true
    }
    let waiting = Task { for await state in states where !state.entries.isEmpty { break } }
    while store.hub.states.waitingCount == 0 { await Task.yield() }
    store.send(Append(1))
    #expect(made.all.map(\.value) == [1])
    _ = await waiting.value
    withExtendedLifetime(counts) {}
  }

  /// The value never goes back to an older one, and it ends with the value of the last commit.
  @Test func followsTheCommits() async {
    let store = Store(Log())
    let observer = store.select(\.entries.count).observable(initial: -1)
    let seen = Witness<Int>()
    note(observer, seen)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for entry in 0..<100 { await store.dispatch(Append(entry)) } }
      }
    }
    await observer.follow(until: { $0 == 400 })
    #expect(zip(seen.all, seen.all.dropFirst()).allSatisfy { $0 < $1 })
    #expect(observer.value == 400)
  }

  /// Records the value after each announced change.
  private func note(_ observer: ObservableValue<Int>, _ seen: Witness<Int>) {
    withObservationTracking {
      seen.saw(observer.value)
    } onChange: {
      Task { @MainActor in self.note(observer, seen) }
    }
  }

  /// States that are committed while the main actor is busy arrive as one change.
  @Test(.namedIfItHangs) func aBurstArrivesAsItsLastState() async {
    let store = Store(Log())
    let observer = store.select().observable(initial: Log())
    for entry in 0..<5 { store.send(Append(entry)) }
    #expect(observer.value.entries.isEmpty)
    await observer.follow(until: { $0.entries.count == 5 })
    let accounts = store.diagnostics.subscribers.map { [$0.offered, $0.received, $0.dropped] }
    #expect(accounts == [[6, 2, 4]])
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func observationsFollowTheCommits() async {
    let store = Store(Log())
    let observer = store.select().observable(initial: Log())
    let counts = Observations { observer.value.entries.count }
    async let last = counts.first { $0 == 3 }
    for entry in 0..<3 { await store.dispatch(Append(entry)) }
    #expect(await last == 3)
  }

  @Test func keepsTheLastValueAfterTheStoreIsDeallocated() async {
    var store: Store<Log>? = Store(Log())
    let released = Weak(store)
    guard let observer = store?.select().observable(initial: Log()) else { return }
    store?.send(Append(1))
    store = nil
    await observer.follow(until: { $0.entries == [1] })
    #expect(released.object == nil)
  }

  @Test func theStoreForgetsADeallocatedObserver() async {
    let store = Store(Log())
    var observer: ObservableValue<Log>? = store.select().observable(initial: Log())
    let released = Weak(observer)
    #expect(store.diagnostics.subscribers.count == 1)
    observer = nil
    #expect(released.object == nil)
    #expect(store.hub.isEmpty)
    #expect(store.observations.count == 0)
  }
}

extension ObservableValue {
  /// Lets other tasks run until the value satisfies a condition.
  fileprivate func follow(until isShown: (Value) -> Bool) async {
    while !isShown(value) { await Task.yield() }
  }
}
