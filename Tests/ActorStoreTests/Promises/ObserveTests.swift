import ActorStoreTesting
import HeapCalls
import Synchronization
import TestSize
import Testing

@testable import ActorStore

/// `observe` calls closures for code that does not run in its own task.
@Suite struct ObserveTests {
  /// An actor that records the states that it observes.
  private actor Reader {
    private(set) var seen: [Int] = []
    private(set) var token: ObservationToken?
    private var isOver = false
    private(set) var calledTooLate = false

    func observe(_ store: Store<Log>, cancelAfter limit: Int? = nil) {
      token = store.select().observe(self) { reader, log in
        reader.note(log.entries.count)
        if reader.seen.count == limit { reader.token?.cancel() }
      }
      // The closure is never called inside the call to `observe`.
      if !seen.isEmpty { calledTooLate = true }
    }

    private func note(_ count: Int) {
      if isOver { calledTooLate = true }
      seen.append(count)
    }

    func stop(_ body: @Sendable (ObservationToken) -> Void) {
      if let token { body(token) }
      isOver = true
    }
  }

  /// A non-Sendable object that belongs to its actor.
  private final class Owner {
    var seen: [Int] = []
  }

  /// An actor with its own executor, which reveals where code runs.
  private actor Marked {
    private nonisolated let executor = MarkedExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var isCurrent: Bool { executor.isCurrent }
    let owner = Owner()
    private let wasHere = Witness<Bool>()

    func observe(_ store: Store<Log>, _ onState: @escaping (Owner, Log) -> Void) {
      store.select().observe(owner) { [wasHere, executor] owner, log in
        wasHere.saw(executor.isCurrent)
        owner.seen.append(log.entries.count)
        onState(owner, log)
      }
    }

    var account: (seen: [Int], wasHere: [Bool]) { (owner.seen, wasHere.all) }
  }

  /// Under any schedule, the closure gets every state once, in order, and none before `observe` returns.
  @Test func p11_p12_everyStateInOrderOnTheCallersActor() {
    explore {
      let store = Store(Log())
      let reader = Reader()
      await reader.observe(store)
      await withTaskGroup { group in
        for task in 0..<3 { group.addTask { await store.dispatch(SlowAppend(task)) } }
      }
      store.close()
      await store.waitUntilObservationsEnd()
      let (seen, tooLate) = (await reader.seen, await reader.calledTooLate)
      return seen == [0, 1, 2, 3] && !tooLate ? nil : "\(seen), too early: \(tooLate)"
    }
  }

  /// Under any schedule, no call begins after a cancellation on the closure's actor.
  @Test(arguments: [true, false]) func noCallBeginsAfterACancellation(byOwner: Bool) {
    explore(schedules: TestSize.count(500)) {
      let store = Store(Log())
      let reader = Reader()
      await reader.observe(store)
      async let commits: Void = {
        for entry in 0..<4 { await store.dispatch(Append(entry)) }
      }()
      await reader.stop { token in if byOwner { store.stopObserving(reader) } else { token.cancel() } }
      await commits
      await store.dispatch(Append(9))
      let counts = (store.observations.count, store.diagnostics.subscribers.count)
      if counts != (0, 0) { return "not forgotten: \(counts)" }
      return await reader.calledTooLate ? "called after \(await reader.seen)" : nil
    }
  }

  @Test func aClosureMayCancelItself() {
    explore {
      let store = Store(Log())
      let reader = Reader()
      await reader.observe(store, cancelAfter: 2)
      for entry in 0..<4 { await store.dispatch(Append(entry)) }
      await store.waitUntilObservationsEnd()
      // The second call cancels the observation, so there are exactly two calls.
      return await reader.seen.count == 2 ? nil : "\(await reader.seen)"
    }
  }

  /// The owner belongs to its actor, and the closure's captures are released there.
  @Test func theClosureStaysOnItsActor() async {
    let store = Store(Log())
    let marked = Marked()
    let letGoHere = Witness<Bool>()
    let isCurrent: @Sendable () -> Bool = { marked.isCurrent }
    await marked.observe(store) { [last = LastWords { letGoHere.saw(isCurrent()) }] _, _ in
      withExtendedLifetime(last) {}
    }
    for entry in 0..<3 { await store.dispatch(Append(entry)) }
    store.close()
    await store.waitUntilObservationsEnd()
    let account = await marked.account
    #expect(account.seen == [0, 1, 2, 3])
    #expect(account.wasHere == [true, true, true, true])
    #expect(letGoHere.all == [true])
  }

  @MainActor @Test func observingAgainReturnsTheExistingToken() async {
    let store = Store(Log())
    let owner = Owner()
    let tokens = [1, -1].map { step in store.select().observe(owner) { $0.seen.append($1.entries.count * step) } }
    let first = tokens[0]
    #expect(tokens[1] === first)
    let second = store.select().observe(owner, id: 2) { owner, _ in owner.seen.append(1_000) }
    #expect(second !== first)
    #expect(store.select().observe(owner, id: 2) { _, _ in } === second)
    #expect(store.select().observe(owner, id: "2") { _, _ in } !== second)
    // Another owner has its own observations, and so does another store.
    let other = Owner()
    #expect(store.select().observe(other) { _, _ in } !== first)
    let elsewhere = Store(Log())
    elsewhere.select().observe(owner) { owner, _ in owner.seen.append(2_000) }
    await store.dispatch(Append(1))
    for store in [store, elsewhere] {
      store.close()
      await store.waitUntilObservationsEnd()
    }
    #expect(owner.seen.sorted() == [0, 1, 1_000, 1_000, 2_000])
  }

  /// Without an `id`, a call site observes a selection once for each owner, even a selection of a closure.
  @MainActor @Test func withoutAnIDTheSameCallReturnsTheToken() async {
    let store = Store(Log())
    let owners = [Owner(), Owner()]
    let count = Selection { (log: Log) in log.entries.count }
    func observe(_ owner: Owner) -> ObservationToken {
      store.select(count).observe(owner) { owner, count in owner.seen.append(count) }
    }
    #expect(observe(owners[0]) === observe(owners[0]))
    #expect(observe(owners[0]) !== observe(owners[1]))
    store.close()
    await store.waitUntilObservationsEnd()
    #expect(owners.map(\.seen) == [[0], [0]])
  }

  #if DEBUG
    // All calls in a macro's closure have the position of the macro, so these calls are outside of it.
    @MainActor private static func observeByTwoCalls(_ kind: String) {
      let (store, owner, actor) = (Store(Log()), Owner(), Reader())
      switch kind {
      case "states":
        store.select().observe(owner) { _, _ in }
        store.select().observe(owner) { _, _ in }
      case "key path":
        store.select(\.entries).observe(owner) { _, _ in }
        store.select(Selection(\.entries), .by(==)).observe(owner) { _, _ in }
      case "closure":
        let count = Selection { (log: Log) in log.entries.count }
        store.select(count).observe(owner) { _, _ in }
        store.select(count).observe(owner) { _, _ in }
      default:
        store.select().observe(actor) { _, _ in }
        store.select().observe(actor) { _, _ in }
      }
      withExtendedLifetime((owner, actor)) {}
    }

    /// Otherwise, the closure of the second call would never be called.
    @Test(arguments: ["states", "key path", "closure", "actor"])
    func withoutAnIDAnotherCallTraps(kind: String) async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
        await Self.observeByTwoCalls(kind)
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("Give each observation an `id`"))
      #expect(text.contains("ObserveTests.swift"))
    }
  #endif

  /// Other calls may observe after an observation has ended, and for other owners.
  @MainActor @Test func withoutAnIDAnotherCallMayObserveLater() async {
    let store = Store(Log())
    let owner = Owner()
    store.select().observe(owner) { _, _ in }.cancel()
    store.select().observe(owner) { owner, _ in owner.seen.append(1) }
    store.stopObserving(owner)
    store.select().observe(owner) { owner, _ in owner.seen.append(2) }
    let mirror = await store.select().observable
    store.select().observe(mirror) { _, _ in }
    store.close()
    // The last states are pending, but no others follow.
    store.select().observe(owner) { _, _ in }
    await store.waitUntilObservationsEnd()
    #expect(owner.seen == [2])
  }

  @MainActor @Test func observingAfterACancellationCreatesANewObservation() async {
    let store = Store(Log())
    let owner = Owner()
    let first = store.select().observe(owner) { owner, _ in owner.seen.append(-1) }
    first.cancel()
    let second = store.select().observe(owner) { $0.seen.append($1.entries.count) }
    #expect(second !== first)
    // The first token cancels only its own observation.
    first.cancel()
    store.close()
    await store.waitUntilObservationsEnd()
    #expect(owner.seen == [0])
  }

  @MainActor @Test func selectedValues() async {
    struct Form: Sendable {
      var name = ""
      var age = 0
      var blob: @Sendable () -> Int = { 0 }
    }
    final class Screen {
      var told: [String] = []
    }
    let store = Store(Form())
    let screen = Screen()
    // Observations of different key paths need no `id`.
    store.select(\.name).observe(screen) { $0.told.append("name \($1)") }
    let ages = ["age", "never"].map { name in
      store.select(Selection(\.age), .by { $0 == $1 || $1 % 2 != 0 }).observe(screen) {
        $0.told.append("\(name) \($1)")
      }
    }
    #expect(ages[0] === ages[1])
    store.select(Selection { $0.name.count }).observe(screen, id: "length") { $0.told.append("length \($1)") }
    store.select(Selection { $0.blob }, .by({ $0() == $1() })).observe(screen) { $0.told.append("blob \($1())") }
    store.select(Selection(\.blob), .by({ $0() == $1() })).observe(screen) { $0.told.append("blob at path \($1())") }
    await store.dispatch { $0.age = 1 }
    await store.dispatch { ($0.age, $0.name) = (2, "Ann") }
    await store.dispatch { $0.blob = { 1 } }
    store.close()
    await store.waitUntilObservationsEnd()
    #expect(
      screen.told.sorted() == [
        "age 0", "age 2", "blob 0", "blob 1", "blob at path 0", "blob at path 1", "length 0", "length 3", "name ",
        "name Ann",
      ])
  }

  /// The actor gets only the newest of the states that are committed while it is busy.
  @Test func p12_thePolicyDropsStatesWhileTheActorIsBusy() async {
    let store = Store(Log())
    let (busy, owner, seen) = (BusyActor(), Gate(), Witness<Int>())
    await busy.call { busy in
      store.select().observe(owner, bufferingPolicy: .bufferingNewest(1), isolation: busy) {
        seen.saw($1.entries.count)
      }
      for entry in 0..<5 { store.send(Append(entry)) }
    }
    store.close()
    await store.waitUntilObservationsEnd()
    #expect(seen.all == [5])
    withExtendedLifetime((busy, owner)) {}
  }

  // MARK: Deallocated owners and actors

  @MainActor @Test func theStoreForgetsADeallocatedOwner() async {
    let store = Store(Log())
    var owner: Owner? = Owner()
    let released = Weak(owner)
    if let owner { store.select().observe(owner) { $0.seen.append($1.entries.count) } }
    owner = nil
    #expect(released.object == nil)
    await store.dispatch(Append(1))
    await store.waitUntilObservationsEnd()
    #expect(store.hub.isEmpty)
  }

  /// An observation does not keep its actor alive, whether the owner is the actor or one of its objects.
  @Test(.namedIfItHangs) func anObservationDoesNotKeepItsActorAlive() async {
    let store = Store(Log())
    weak var reader: Reader?
    weak var marked: Marked?
    do {
      let (first, second) = (Reader(), Marked())
      await first.observe(store)
      await second.observe(store) { _, _ in }
      await store.dispatch(Append(1))
      (reader, marked) = (first, second)
    }
    while store.observations.count > 0 {
      await store.dispatch { $0.entries = [1] }
      await Task.yield()
    }
    #expect(reader == nil)
    #expect(marked == nil)
  }

  /// The store forgets deallocated owners even if it never delivers a state.
  ///
  /// Many of the owners are at the address of an earlier one.
  @MainActor @Test func observationsOfDeallocatedOwnersDoNotPileUp() async {
    let store = Store(Log())
    let kept = Owner()
    func observeKept() -> ObservationToken {
      store.observeNothing(kept)
    }
    let first = observeKept()
    let tokens = (0..<1_000).map { _ in store.observeNothing(Owner()) }
    // No owner gets the token of an earlier owner at the same address.
    #expect(Set(tokens.map { ObjectIdentifier($0) }).count == 1_000)
    #expect(store.observations.count < 64)
    #expect(observeKept() === first)
    #expect(observeKept() !== store.select().observe(Owner()) { _, _ in })
    store.stopObserving(kept)
  }

  private actor Quiet {
    func observe(_ store: Store<Log>) {
      store.observeNothing(self, on: self)
    }
  }

  /// The store forgets deallocated actors even if it never delivers a state and no code can run on them anymore.
  @Test(.namedIfItHangs) func observationsOnDeallocatedActorsDoNotPileUp() async {
    let store = Store(Log())
    var gone = (0..<100).map { _ in Quiet() }
    let released = gone.map { Weak($0) }
    for actor in gone { await actor.observe(store) }
    while store.hub.states.waitingCount < 100 { await Task.yield() }
    gone = []
    while released.contains(where: { $0.object != nil }) { await Task.yield() }
    let here = (0..<200).map { _ in Marked() }
    for actor in here { await actor.observe(store) { _, _ in } }
    #expect(store.observations.count == 200)
    store.close()
    await store.waitUntilObservationsEnd()
    withExtendedLifetime(here) {}
  }

  /// An observation whose actor is deallocated does not prevent a new one by the same owner.
  @Test(.namedIfItHangs) func anObservationOnADeallocatedActorIsReplaced() async {
    let store = Store(Log())
    let (owner, called) = (Gate(), Gate())
    var gone = BusyActor?.some(BusyActor())
    let released = Weak(gone)
    let first = await gone?.call { busy in store.select().observe(owner, isolation: busy) { _, _ in called.open() } }
    await called.wait()
    gone = nil
    while released.object != nil { await Task.yield() }
    let busy = BusyActor()
    let second = await busy.call { busy in store.select().observe(owner, isolation: busy) { _, _ in } }
    #expect(first !== second)
    #expect(store.observations.count == 1)
    store.close()
    await store.waitUntilObservationsEnd()
    withExtendedLifetime((busy, owner)) {}
  }

  @Test func anObservationOfADeallocatedStoreEndsAfterTheLastState() async {
    let reader = Reader()
    var observations: ObservationRegistry?
    do {
      let store = Store(Log())
      observations = store.observations
      await reader.observe(store)
      store.send(SlowAppend(1))
    }
    while (observations?.count ?? 0) > 0 { await Task.yield() }
    #expect(await reader.seen == [0, 1])
  }

  // MARK: User code

  /// User code compares IDs, and may call the store.
  @MainActor @Test func comparingIDsMayUseTheStore() async {
    struct Curious: Hashable, Sendable {
      let store: Store<Log>
      let number: Int
      static func == (one: Self, other: Self) -> Bool {
        _ = one.store.diagnostics
        one.store.stopObserving(one.store)
        one.store.send(Append(one.number))
        return one.number == other.number
      }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let store = Store(Log())
    let owner = Owner()
    let tokens = (0..<3).map { store.select().observe(owner, id: Curious(store: store, number: $0)) { _, _ in } }
    #expect(store.select().observe(owner, id: Curious(store: store, number: 1)) { _, _ in } === tokens[1])
    store.stopObserving(owner)
    await store.waitUntilObservationsEnd()
  }

  /// An ID that counts its comparisons.
  private struct CountedID: Hashable, Sendable {
    let number: Int
    let comparisons: Comparisons

    final class Comparisons: Sendable {
      let count = Atomic(0)
    }

    static func == (one: Self, other: Self) -> Bool {
      one.comparisons.count.wrappingAdd(1, ordering: .relaxed)
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// The cost of an observation does not grow with the number of the owner's observations.
  @MainActor @Test func manyObservationsOfOneOwner() {
    let store = Store(Log())
    let (owner, comparisons) = (Owner(), CountedID.Comparisons())
    let tokens = (0..<2_000).map { number in
      store.select().observe(owner, id: CountedID(number: number, comparisons: comparisons)) { _, _ in }
    }
    #expect(comparisons.count.load(ordering: .relaxed) < 2_000)
    #expect(store.observations.count == 2_000)
    // Each observation is still found by its ID.
    for (number, token) in tokens.enumerated() {
      #expect(
        store.select().observe(owner, id: CountedID(number: number, comparisons: comparisons)) { _, _ in } === token)
    }
    #expect(comparisons.count.load(ordering: .relaxed) < 6_000)
    for token in tokens.reversed() { token.cancel() }
    #expect(store.observations.count == 0)
  }

  /// A new owner at the address of a deallocated one does not inherit its observations.
  @Test(.enabled(if: heap_calls_are_counted(), "glibc reuses addresses, but the heap of a sanitizer does not"))
  @MainActor func anOwnerAtAReusedAddressHasNoObservations() {
    let store = Store(Log())
    var addresses: Set<ObjectIdentifier> = []
    for round in 0..<100 {
      let owner = Owner()
      let isUsedAgain = !addresses.insert(ObjectIdentifier(owner)).inserted
      store.select().observe(owner, id: round) { _, _ in }
      if isUsedAgain { #expect(store.observations.count(of: owner) == 1) }
    }
    #expect(addresses.count < 100, "no address was reused, so this test proves nothing")
  }

  /// An observation outlives the action that began it, so its dispatches are not nested in that action.
  @Test func anObservationIsNotNestedInAnAction() {
    explore {
      let (store, observed) = (Store(Log()), Store(Log()))
      let reader = Reader()
      let dispatched = Witness<Task<Outcome<Int>, Never>>()
      let end = Gate()
      async let action = store.dispatch { _ async in
        observed.select().observe(reader) { _, _ in dispatched.saw(inheritingTask { await store.dispatch(Append(1)) }) }
        await end.wait()
      }
      while dispatched.all.isEmpty { await Task.yield() }
      await store.waitUntilQueued(1)
      end.open()
      _ = await action
      let outcome = await dispatched.all[0].value
      observed.close()
      return outcome == .committed(1) ? nil : "\(outcome)"
    }
  }

  /// A comparison that refuses a long backlog lets other calls run on the actor in between.
  @Test func aRefusedBacklogDoesNotBlockTheActor() async {
    let store = Store(Log())
    let (busy, owner, asked) = (BusyActor(), Gate(), Witness<Int>())
    await busy.call { busy in
      let refuse = SelectionComparison<Log>.by { _, new in
        asked.saw(new.entries.count)
        return true
      }
      store.select(Selection(\.self), refuse).observe(owner, isolation: busy) { _, _ in }
      for entry in 0..<1_000 { store.send(Append(entry)) }
    }
    // In the actor's mailbox, this call is behind the first delivery and ahead of the last.
    while asked.all.isEmpty { await Task.yield() }
    let askedBefore = await busy.call { _ in asked.all.count }
    #expect(askedBefore < 1_000)
    store.close()
    await store.waitUntilObservationsEnd()
    #expect(asked.all == Array(1...1_000))
    withExtendedLifetime((busy, owner)) {}
  }

  /// Actors observe and cancel during commits, on real threads.
  @Test func onRealThreads() async {
    let store = Store(Log())
    let problems = Witness<String>()
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask { for entry in 0..<200 { await store.dispatch(Append(entry + task)) } }
        group.addTask {
          for _ in 0..<50 {
            let reader = Reader()
            await reader.observe(store)
            await Task.yield()
            await reader.stop { $0.cancel() }
            let seen = await reader.seen
            if await reader.calledTooLate { problems.saw("called after a cancellation") }
            if zip(seen, seen.dropFirst()).contains(where: { $0 + 1 != $1 }) { problems.saw("\(seen)") }
          }
        }
      }
    }
    #expect(problems.all.isEmpty)
    #expect(store.observations.count == 0)
    #expect(store.hub.isEmpty)
  }
}

/// Calls a closure when it is deallocated.
private final class LastWords {
  private let say: () -> Void

  init(_ say: @escaping () -> Void) {
    self.say = say
  }

  deinit {
    say()
  }
}

extension Store {
  /// Lets other tasks run until all observations have ended.
  func waitUntilObservationsEnd() async {
    while observations.count > 0 { await Task.yield() }
  }
}

extension Store {
  /// Starts an observation that never gets a value.
  @discardableResult
  nonisolated fileprivate func observeNothing(
    _ owner: some AnyObject, on actor: any Actor = MainActor.shared
  ) -> ObservationToken {
    observations.observe(
      owner, id: ObservationID(nil, of: 0, CallSite(fileID: "", line: 0, column: 0)), on: actor, calledOn: actor,
      { subscription(.unbounded, filter: { _, _ in false }) as Subscription<State> }, { _, _ in })
  }
}
