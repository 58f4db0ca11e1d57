import ActorStoreTesting
import Dispatch
import Foundation
import TestSize
import Testing

@testable import ActorStore

/// P18: A stream of transitions has each commit with its action and both states, and keeps nothing after it ends.
@Suite struct TransitionTests {
  private typealias Transitions = AsyncStream<Transition<Log>>

  /// A readable form of a transition.
  private func line(_ transition: Transition<Log>) -> String {
    let action = transition.action.map { "\($0)" } ?? "none"
    return "\(transition.revision) \(action): \(transition.old?.entries ?? [-1]) -> \(transition.new.entries)"
  }

  private func lines(_ transitions: Transitions) async -> [String] {
    await transitions.reduce(into: []) { $0.append(line($1)) }
  }

  /// The first broken link of a stream without dropped elements.
  private static func problem(_ transitions: [Transition<Log>]) -> String? {
    if let first = transitions.first, first.action != nil || first.old != nil { return "the first element is a commit" }
    for (one, next) in zip(transitions, transitions.dropFirst()) {
      if next.revision != one.revision + 1 { return "\(next.revision) after \(one.revision)" }
      if next.old != one.new { return "revision \(next.revision) does not start where the one before ended" }
      if next.action == nil { return "revision \(next.revision) has no action" }
    }
    return nil
  }

  // MARK: Elements

  @Test func p18_startsWithTheStateAndHasEachCommit() async throws {
    let store = Store(Log(entries: [0]))
    await store.dispatch(Append(1))
    let transitions = store.transitions()
    await store.dispatch(Append(2))
    await store.dispatch(SlowAppend(3))
    await store.dispatch(label: "four") { $0.entries.append(4) }
    await store.dispatch(label: "five") { log async in log.entries.append(5) }
    try await store.transaction(label: "six") { transaction in try transaction.run(Append(6)) }
    _ = try? await store.dispatch(FailHalfway())
    _ = try? await store.dispatch(FailingMutation())
    await store.dispatch(SlowAppend(7), policy: .overlapping)
    store.close()
    #expect(
      await lines(transitions) == [
        "1 none: [-1] -> [0, 1]",
        "2 Append(entry: 2): [0, 1] -> [0, 1, 2]",
        "3 SlowAppend(entry: 3): [0, 1, 2] -> [0, 1, 2, 3]",
        "4 four: [0, 1, 2, 3] -> [0, 1, 2, 3, 4]",
        "5 five: [0, 1, 2, 3, 4] -> [0, 1, 2, 3, 4, 5]",
        "6 six: [0, 1, 2, 3, 4, 5] -> [0, 1, 2, 3, 4, 5, 6]",
        "7 SlowAppend(entry: 7): [0, 1, 2, 3, 4, 5, 6] -> [0, 1, 2, 3, 4, 5, 6, 7]",
      ])
    // A stream of a closed store still delivers the last state.
    #expect(await lines(store.transitions()) == ["7 none: [-1] -> [0, 1, 2, 3, 4, 5, 6, 7]"])
  }

  @Test func p18_aTransactionHasItsMembers() async throws {
    let store = Store(Log())
    let transitions = store.transitions()
    try await store.transaction(label: "all") { transaction in
      try transaction.run(Append(1))
      _ = try? transaction.run(FailingMutation())
      try transaction.run(label: "two") { $0.entries.append(2) }
    }
    await store.dispatch(Append(3))
    try await store.transaction { try await $0.run(SlowAppend(4)) }
    _ = try? await store.transaction { try $0.run(FailingMutation()) }
    store.close()
    let all = await transitions.reduce(into: []) { $0.append($1) }
    #expect(all.map { $0.action.map { "\($0)" } } == [nil, "all", "Append(entry: 3)", "transaction"])
    #expect(
      all.map { $0.members.map { "\($0)" } } == [[], ["Append(entry: 1)", "two"], [], ["SlowAppend(entry: 4)"]])
  }

  /// A guard gets the turn between an edit in place and its end, on another path.
  private struct Watchful: Guard {
    typealias State = Log
  }

  @Test func p18_aStoreWithGuardsHasTheSameTransitions() async {
    let store = Store(Log(), guards: [Watchful()])
    let transitions = store.transitions()
    await store.dispatch(Append(1))
    await store.dispatch(SlowAppend(2))
    store.close()
    #expect(
      await lines(transitions) == [
        "0 none: [-1] -> []", "1 Append(entry: 1): [] -> [1]", "2 SlowAppend(entry: 2): [1] -> [1, 2]",
      ])
  }

  @Test func p18_anOptionalStateIsNotConfusedWithNoOldState() async {
    let store = Store(Int?.none)
    let transitions = store.transitions()
    await store.dispatch { $0 = 1 }
    store.close()
    let states = await transitions.reduce(into: [(old: Int??, new: Int?)]()) { $0.append(($1.old, $1.new)) }
    #expect(states.map(\.old) == [.none, .some(nil)])
    #expect(states.map(\.new) == [nil, 1])
  }

  // MARK: The start

  @Test func p18_aStreamCreatedInsideAMutationStartsWithItsCommit() async {
    let store = Store(Log())
    let made = await store.dispatch { log -> Transitions in
      log.entries.append(1)
      let transitions = store.transitions()
      log.entries.append(2)
      return transitions
    }
    await store.dispatch(Append(3))
    store.close()
    if let transitions = made.output {
      #expect(
        await lines(transitions) == ["1 none: [-1] -> [1, 2]", "2 Append(entry: 3): [1, 2] -> [1, 2, 3]"])
    }
  }

  /// The holder starts the stream after its commit, unless the stream has left by then.
  @Test(arguments: [false, true]) func p18_aStreamCreatedWhileAnotherThreadEditsInPlace(isGuarded: Bool) async {
    let store = Store(Log(), guards: isGuarded ? [Watchful()] : [])
    let (began, release) = (Gate(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      store.send { log in
        log.entries.append(1)
        began.open()
        release.wait()
        log.entries.append(2)
      }
    }
    await began.wait()
    let (transitions, states) = (store.transitions(), store.states)
    _ = store.transitions()
    release.signal()
    await store.dispatch(Append(3))
    store.close()
    #expect(
      await lines(transitions) == ["1 none: [-1] -> [1, 2]", "2 Append(entry: 3): [1, 2] -> [1, 2, 3]"])
    #expect(await states.reduce(into: []) { $0.append($1.entries) } == [[1, 2], [1, 2, 3]])
    #expect(store.keepsNothing)
  }

  @Test func p18_aStreamThatLeavesDuringAnEditInPlaceKeepsNothing() async {
    let store = Store(Log())
    await store.dispatch { log in
      log.entries.append(1)
      _ = store.transitions()
    }
    #expect(store.keepsNothing)
  }

  @Test func p18_aStreamCreatedInsideAnActionStartsWithTheCommittedState() async {
    let store = Store(Log())
    let made = await store.dispatch(label: "outer") { log async -> Transitions in
      log.entries.append(1)
      return store.transitions()
    }
    store.close()
    if let transitions = made.output {
      #expect(await lines(transitions) == ["0 none: [-1] -> []", "1 outer: [] -> [1]"])
    }
  }

  // MARK: Buffering

  @Test func p18_thePolicyDropsTransitions() async {
    let store = Store(Log())
    let newest = store.transitions(bufferingPolicy: .bufferingNewest(2))
    let oldest = store.transitions(bufferingPolicy: .bufferingOldest(2))
    let all = store.transitions()
    for entry in 1...4 { await store.dispatch(Append(entry)) }
    store.close()
    #expect(
      await lines(newest) == [
        "3 Append(entry: 3): [1, 2] -> [1, 2, 3]", "4 Append(entry: 4): [1, 2, 3] -> [1, 2, 3, 4]",
      ])
    #expect(await lines(oldest) == ["0 none: [-1] -> []", "1 Append(entry: 1): [] -> [1]"])
    let counts = store.diagnostics.subscribers
    #expect(counts.map(\.offered) == [5])
    #expect(await all.reduce(into: []) { $0.append($1.revision) } == [0, 1, 2, 3, 4])
    #expect(store.diagnostics.subscribers.isEmpty)
    await #expect(processExitsWith: .failure) {
      _ = Store(0).transitions(bufferingPolicy: .bufferingNewest(0))
    }
  }

  @Test func p18_aStreamThatIsNeverReadKeepsNoMoreThanItsPolicy() async {
    let store = Store(Log())
    let newest = store.transitions(bufferingPolicy: .bufferingNewest(2))
    let oldest = store.transitions(bufferingPolicy: .bufferingOldest(1))
    for _ in 0..<100 { await store.dispatch(Append(1)) }
    #expect(store.hub.transitions.broadcast.backlogCount == 2)
    withExtendedLifetime((oldest, newest)) {}
  }

  // MARK: Any schedule

  /// Streams with each policy come and go while several tasks commit.
  @Test func p18_noGapUnderAnySchedule() {
    explore {
      let store = Store(Log())
      let plain = store.transitions()
      async let all = plain.reduce(into: [Transition<Log>]()) { $0.append($1) }
      async let late = store.transitions().reduce(into: [Transition<Log>]()) { $0.append($1) }
      async let newest = store.transitions(bufferingPolicy: .bufferingNewest(1)).reduce(into: []) { $0.append($1) }
      async let short = Self.firstTwo(store.transitions())
      async let states = Self.firstTwo(store.states)
      await withTaskGroup { group in
        group.addTask { _ = await store.dispatch(SlowAppend(1), policy: .overlapping) }
        group.addTask {
          await store.dispatch(SlowAppend(2))
          await store.dispatch(Append(3))
        }
      }
      store.close()
      _ = await states
      let seen = await (all, late, newest, short)
      for transitions in [seen.0, seen.1, seen.3] {
        if let problem = Self.problem(transitions) { return problem }
      }
      if seen.0.map(\.revision) != [0, 1, 2, 3] { return "revisions \(seen.0.map(\.revision))" }
      let last = await store.state
      if [seen.0, seen.1, seen.2].contains(where: { $0.last?.new != last || $0.last?.revision != 3 }) {
        return "a stream missed the last commit"
      }
      return store.keepsNothing ? nil : "something is kept"
    }
  }

  private static func firstTwo<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream {
      elements.append(element)
      if elements.count == 2 { break }
    }
    return elements
  }

  private static func append(_ count: Int, to store: Store<Log>) async {
    for entry in 1...count { await store.dispatch(Append(entry)) }
  }

  /// One stream leaves while another joins, so the newest state is forgotten or kept, but never out of date.
  @Test func p18_leavingAndJoiningUnderAnySchedule() {
    explore {
      let store = Store(Log())
      let leaver = Task.inheritingExecutor { _ = await Self.firstTwo(store.transitions()) }
      let stateLeaver = Task.inheritingExecutor { _ = await Self.firstTwo(store.states) }
      async let committed: Void = Self.append(3, to: store)
      async let joined: [Transition<Log>] = {
        let transitions = store.transitions()
        await Task.yield()
        leaver.cancel()
        stateLeaver.cancel()
        return await transitions.reduce(into: []) { $0.append($1) }
      }()
      await committed
      store.close()
      let seen = await joined
      _ = await (leaver.value, stateLeaver.value)
      if let problem = Self.problem(seen) { return problem }
      if let wrong = seen.first(where: { $0.new.entries.count != $0.revision }) {
        return "revision \(wrong.revision) has \(wrong.new)"
      }
      if seen.last?.revision != 3 { return "the last commit is missing: \(seen.map(\.revision))" }
      return store.keepsNothing ? nil : "something is kept"
    }
  }

  /// A store creates its memory for transitions with the first stream, which may begin after the last action has ended.
  @Test func p18_theFirstStreamEndsHoweverLateItBegins() {
    explore {
      let store = Store(Log())
      let states = store.states
      async let outcome = store.dispatch(SlowAppend(1))
      async let seen = store.transitions().reduce(into: [Transition<Log>]()) { $0.append($1) }
      store.close()
      let (last, _) = await (seen.last, outcome)
      let current = await store.state
      withExtendedLifetime(states) {}
      return last?.new == current ? nil : "\(String(describing: last)) instead of \(current)"
    }
  }

  // MARK: The end

  @Test func p18_endsWhenItsConsumerStopsOrIsCanceled() async {
    let store = Store(Log())
    for await _ in store.transitions() { break }
    #expect(store.keepsNothing)
    _ = store.transitions()
    #expect(store.keepsNothing)
    let began = Gate()
    let transitions = store.transitions()
    let consumer = Task {
      var count = 0
      for await _ in transitions {
        count += 1
        began.open()
      }
      return count
    }
    await began.wait()
    #expect(!store.keepsNothing)
    consumer.cancel()
    #expect(await consumer.value == 1)
    #expect(store.keepsNothing)
  }

  @Test func p18_aStreamDoesNotKeepItsStoreAlive() async {
    var store: Store<Log>? = Store(Log())
    let released = Weak(store)
    let transitions = store?.transitions()
    await store?.dispatch(Append(1))
    store = nil
    #expect(released.object == nil)
    if let transitions { #expect(await lines(transitions).count == 2) }
  }

  private struct Follow: ActionGroup {
    func run(with store: Store<Log>) async -> Int {
      let transitions = store.transitions()
      await store.dispatch(Append(1))
      return await transitions.reduce(into: 0) { count, _ in count += 1 }
    }
  }

  /// The group waits for the end of its own stream, and the stream ends although the group still runs.
  @Test func p18_aStreamInAGroupEndsWhenOnlyGroupsRun() {
    explore {
      let store = Store(Log())
      async let count = store.dispatch(Follow())
      await Task.yield()
      store.close()
      let result = await count
      try? await store.closeAndDrain()
      switch result {
      case .committed(2), .closed: return store.keepsNothing ? nil : "something is kept"
      default: return "\(result)"
      }
    }
  }

  // MARK: Cost

  private struct Big: Sendable {
    var numbers: [Int]
    var storage: UInt { numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }

  private struct Bump: Mutation {
    func run(_ big: inout Big) { big.numbers[0] += 1 }
  }

  /// All streams share one object for each state.
  @Test func p18_eachStateIsStoredOnce() async {
    let store = Store(Big(numbers: Array(0..<1_000)))
    let (one, other) = (store.transitions(), store.transitions())
    let states: Subscription<Big> = store.subscription(.unbounded, filter: nil)
    for _ in 0..<2 { await store.dispatch(Bump()) }
    let late = store.transitions()
    store.close()
    let first = await one.reduce(into: []) { $0.append($1) }
    let second = await other.reduce(into: []) { $0.append($1) }
    #expect(first.map { ObjectIdentifier($0.boxes.new) } == second.map { ObjectIdentifier($0.boxes.new) })
    #expect(zip(first, first.dropFirst()).allSatisfy { $0.boxes.new === $1.boxes.old })
    let joined = await late.first { _ in true }
    #expect(joined?.boxes.new === first[2].boxes.new)
    let boxes = (0..<3).compactMap { _ -> AnyPublished? in
      if case .value(let box) = store.hub.states.take(states.id) { box } else { nil }
    }
    #expect(boxes.map(ObjectIdentifier.init) == first.map { ObjectIdentifier($0.boxes.new) })
    #expect(Set(first.map(\.new.storage)).count == 3)
  }

  @Test func p16_p18_mutationsCopyOnlyWhileThereIsAStream() async {
    let store = Store(Big(numbers: Array(0..<1_000)))
    func storage() async -> UInt { await store.state.storage }
    let before = await storage()
    await store.dispatch(Bump())
    #expect(await storage() == before)
    do {
      let transitions = store.transitions(bufferingPolicy: .bufferingNewest(1))
      await store.dispatch(Bump())
      let during = await storage()
      #expect(during != before)
      await store.dispatch(Bump())
      #expect(await storage() != during)
      withExtendedLifetime(transitions) {}
    }
    #expect(store.keepsNothing)
    // The first edit makes the state the only owner of its array, if it is not already.
    let after = await storage()
    for _ in 0..<3 { await store.dispatch(Bump()) }
    #expect(await storage() == after)
    #expect(await store.state.numbers[0] == 6)
  }

  // MARK: No user code under a lock

  /// Reads and changes its store when it is deallocated, which deadlocks if that happens under the store's lock.
  private final class Nosy: Sendable {
    let stores: Witness<Store<Held>>
    let gone: Witness<UInt64>

    init(_ stores: Witness<Store<Held>>, _ gone: Witness<UInt64>) {
      self.stores = stores
      self.gone = gone
    }

    deinit {
      gone.saw(stores.all[0].diagnostics.revision)
      stores.all[0].send { $0.count += 1 }
    }
  }

  private struct Held: Sendable {
    var nosy: Nosy?
    var count = 0
  }

  private struct Drop: Mutation {
    let carried: Nosy
    func run(_ held: inout Held) { held.nosy = nil }
  }

  @Test(.namedIfItHangs) func p10_p18_oldStatesAndActionsAreReleasedOutsideTheLock() async {
    let stores = Witness<Store<Held>>()
    let gone = Witness<UInt64>()
    let store = Store(Held())
    stores.saw(store)
    @Sendable func nosy() -> Nosy { Nosy(stores, gone) }
    let policies: [AsyncStream<Transition<Held>>.Continuation.BufferingPolicy] = [
      .unbounded, .bufferingNewest(1), .bufferingOldest(1),
    ]
    for policy in policies {
      let transitions = store.transitions(bufferingPolicy: policy)
      await store.dispatch { [nosy = nosy()] held in held.nosy = nosy }
      await store.dispatch(Drop(carried: nosy()))
      await store.dispatch { [nosy = nosy()] held async in held.nosy = nosy }
      await store.dispatch(Drop(carried: nosy()))
      // Taking one element releases others, and so does leaving.
      for await _ in transitions { break }
    }
    // During the edit, the state that is kept for transitions is the only one with the object.
    await store.dispatch { [nosy = nosy()] held in held.nosy = nosy }
    let place = Locked<AsyncStream<Transition<Held>>?>(store.transitions())
    await store.dispatch { held in
      held.nosy = nil
      let unread = place.withLock { $0.take() }
      withExtendedLifetime(unread) {}
    }
    store.close()
    while gone.all.count < 13 { await Task.yield() }
    #expect(gone.all.count == 13)
  }
}

extension Store {
  /// Whether no stream remains, no state is kept for transitions, and commits are not published.
  fileprivate nonisolated var keepsNothing: Bool {
    hub.isEmpty && hub.newestState == nil && !queue.recordsMembers && !queue.watch { $0 }
  }
}
