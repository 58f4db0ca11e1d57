import ActorStoreTesting
import Testing

@testable import ActorStore

/// P11 to P14: Each subscriber has its own stream, which misses no state, repeats none, and ends.
@Suite struct StatesTests {
  @Test func p11_startsWithTheStateAtTheTimeOfTheCall() async {
    let store = Store(Log(entries: [0]))
    await store.dispatch(Append(1))
    let first = store.states
    await store.dispatch(Append(2))
    let second = store.states
    store.close()
    #expect(await all(first) == [[0, 1], [0, 1, 2]])
    #expect(await all(second) == [[0, 1, 2]])
    // A stream of a closed store still delivers the last state.
    #expect(await all(store.states) == [[0, 1, 2]])
  }

  private func all(_ states: AsyncStream<Log>) async -> [[Int]] {
    await states.reduce(into: []) { $0.append($1.entries) }
  }

  /// Under any schedule, unbounded streams deliver every commit once, in order.
  ///
  /// A stream that keeps only the newest state ends with the last one.
  @Test func p12_everySubscriberSeesTheSameOrder() {
    explore {
      let store = Store(Log())
      let plain = (0..<2).map { _ in store.states }
      let newest = store.states(bufferingPolicy: .bufferingNewest(1))
      let even = store.states { previous, new in new.entries.count % 2 == 0 }
      async let seen = withTaskGroup { group in
        for states in plain { group.addTask { await states.reduce(into: []) { $0.append($1.entries.count) } } }
        return await group.reduce(into: [[Int]]()) { $0.append($1) }
      }
      async let latest = newest.reduce(into: [Int]()) { $0.append($1.entries.count) }
      async let filtered = even.reduce(into: [Int]()) { $0.append($1.entries.count) }
      await withTaskGroup { group in
        for task in 0..<3 {
          group.addTask {
            await store.dispatch(SlowAppend(task))
            await store.dispatch(Append(task))
          }
        }
      }
      store.close()
      let every = Array(0...6)
      if await seen != [every, every] { return "\(await seen)" }
      let last = await latest
      if last.last != 6 || zip(last, last.dropFirst()).contains(where: { $0 >= $1 }) { return "\(last)" }
      return await filtered == [0, 2, 4, 6] ? nil : "\(await filtered)"
    }
  }

  @Test func p12_thePolicyDropsStates() async {
    let store = Store(Log())
    let newest = store.states(bufferingPolicy: .bufferingNewest(2))
    let oldest = store.states(bufferingPolicy: .bufferingOldest(2))
    for entry in 1...5 { await store.dispatch(Append(entry)) }
    store.close()
    #expect(await newest.reduce(into: []) { $0.append($1.entries.count) } == [4, 5])
    #expect(await oldest.reduce(into: []) { $0.append($1.entries.count) } == [0, 1])
  }

  @Test func p12_aStreamThatIsNeverReadKeepsNoMoreThanItsPolicy() async {
    let store = Store(Log())
    let oldest = store.states(bufferingPolicy: .bufferingOldest(1))
    for _ in 0..<100 { await store.dispatch(Append(1)) }
    #expect(store.hub.states.backlogCount == 0)
    let newest = store.states(bufferingPolicy: .bufferingNewest(2))
    for _ in 0..<100 { await store.dispatch(SlowAppend(1)) }
    #expect(store.hub.states.backlogCount == 2)
    withExtendedLifetime((oldest, newest)) {}
  }

  @Test func p12_aPolicyThatKeepsNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Store(0).states(bufferingPolicy: .bufferingNewest(0))
    }
    await #expect(processExitsWith: .failure) {
      _ = Store(0).states(bufferingPolicy: .bufferingOldest(-1))
    }
  }

  @Test func p13_theFilterGetsTheStateThatItLastAccepted() async {
    let store = Store(Log())
    let asked = Witness<String>()
    let states = store.states { previous, new in
      asked.saw("\(previous?.entries.count ?? -1) \(new.entries.count)")
      return new.entries.count != 1
    }
    for entry in 1...3 { await store.dispatch(Append(entry)) }
    store.close()
    #expect(await all(states) == [[], [1, 2], [1, 2, 3]])
    #expect(asked.all == ["-1 0", "0 1", "0 2", "2 3"])
  }

  @Test func aFilterMaySend() async {
    let store = Store(Log())
    let states = store.states { previous, new in
      if new.entries.count < 3 { store.send(Append(new.entries.count + 1)) }
      return true
    }
    var seen: [[Int]] = []
    for await state in states {
      seen.append(state.entries)
      if state.entries.count == 3 { break }
    }
    #expect(seen == [[], [1], [1, 2], [1, 2, 3]])
  }

  /// A subscriber may dispatch to the observed store from its loop.
  @Test func aSubscriberMayDispatch() async {
    let store = Store(Log())
    for await state in store.states {
      if state.entries.count == 100 { break }
      await store.dispatch(SlowAppend(state.entries.count))
    }
    #expect(await store.state.entries == Array(0..<100))
  }

  @Test func p14_endsWhenItsConsumerStops() async {
    let store = Store(Log())
    for await _ in store.states { break }
    #expect(!store.isWatched)
    // A stream may also be released unread or halfway through.
    _ = store.states
    #expect(!store.isWatched)
    do {
      var iterator = store.states.makeAsyncIterator()
      _ = await iterator.next()
      #expect(store.isWatched)
    }
    #expect(!store.isWatched)
  }

  @Test func p14_endsImmediatelyWhenItsConsumerIsCanceled() async {
    let store = Store(Log())
    let began = Gate()
    let states = store.states
    let consumer = Task {
      var count = 0
      for await _ in states {
        count += 1
        began.open()
      }
      return count
    }
    await began.wait()
    consumer.cancel()
    #expect(await consumer.value == 1)
    #expect(!store.isWatched)
    await store.dispatch(Append(1))
  }

  @Test func p14_closingDeliversTheRemainingStatesAndEnds() async {
    let store = Store(Log())
    let held = Hold(until: Gate())
    let states = store.states
    store.send(held)
    store.send(Append(1))
    store.close()
    async let seen = all(states)
    held.end.open()
    #expect(await seen == [[], [0], [0, 1]])
  }

  /// A store creates its memory for streams with the first stream, which may begin after the last action has ended.
  @Test func p14_theFirstStreamEndsHoweverLateItBegins() {
    explore {
      let store = Store(Log())
      async let outcome = store.dispatch(SlowAppend(1))
      async let seen = all(store.states)
      store.close()
      let (last, _) = await (seen.last, outcome)
      let current = await store.state.entries
      return last == current ? nil : "\(last ?? []) instead of \(current)"
    }
  }

  @Test func p14_aStreamDoesNotKeepItsStoreAlive() async {
    var store: Store<Log>? = Store(Log())
    let released = Weak(store)
    let states = store?.states
    await store?.dispatch(Append(1))
    store = nil
    #expect(released.object == nil)
    if let states { #expect(await all(states) == [[], [1]]) }
  }

  /// The mutation has changed only half of the state when it creates the stream.
  @Test func p6_aStreamCreatedInsideAMutationStartsWithItsCommit() async {
    let store = Store(Log())
    let made = await store.dispatch { log -> AsyncStream<Log> in
      log.entries.append(1)
      let states = store.states
      log.entries.append(2)
      return states
    }
    await store.dispatch(Append(3))
    store.close()
    if let states = made.output { #expect(await all(states) == [[1, 2], [1, 2, 3]]) }
  }

  @Test func p6_aStreamCreatedInsideAnActionStartsWithTheCommittedState() async {
    let store = Store(Log())
    let made = await store.dispatch { log async -> AsyncStream<Log> in
      log.entries.append(1)
      return store.states
    }
    store.close()
    if let states = made.output { #expect(await all(states) == [[], [1]]) }
  }

  /// On real threads, 20 subscribers watch 8 tasks that dispatch and briefly subscribe.
  @Test func p11_p12_onRealThreads() async {
    let store = Store(Log())
    let streams = (0..<10).map { _ in store.states }
    let newest = (0..<10).map { _ in store.states(bufferingPolicy: .bufferingNewest(1)) }
    let problems = Witness<String>()
    await withTaskGroup { group in
      for states in streams {
        group.addTask {
          let counts = await states.reduce(into: [Int]()) { $0.append($1.entries.count) }
          if counts != Array(0...800) { problems.saw("\(counts.count) states") }
        }
      }
      for states in newest {
        group.addTask {
          let counts = await states.reduce(into: [Int]()) { $0.append($1.entries.count) }
          if counts.last != 800 || zip(counts, counts.dropFirst()).contains(where: { $0 >= $1 }) {
            problems.saw("\(counts)")
          }
        }
      }
      let done = Witness<Void>()
      for task in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            await store.dispatch(Append(number))
            if number % 10 == task {
              // Subscribes briefly.
              var previous: Int?
              for await state in store.states {
                if let previous, state.entries.count != previous + 1 { problems.saw("a gap") }
                previous = state.entries.count
                if Int.random(in: 0..<3) == 0 || state.entries.count > 700 { break }
              }
            }
          }
          done.saw(())
          if done.all.count == 8 { store.close() }
        }
      }
    }
    #expect(problems.all.isEmpty)
    #expect(store.diagnostics.subscribers.isEmpty)
    #expect(!store.isWatched)
  }
}

extension Store {
  fileprivate nonisolated var isWatched: Bool { queue.watch { $0 } }
}
