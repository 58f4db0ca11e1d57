import ActorStoreTesting
import Testing

@testable import ActorStore

/// Streams of selected values, which omit repeated values, share evaluations, and do not retain the state.
@Suite struct ValuesTests {
  @Test func omitsRepeatedValues() async {
    let store = Store(Log(entries: [7]))
    let byPath = store.select(\.entries.count).values
    let byClosure = store.select(Selection { $0.entries.count / 2 }).values
    let last = store.select(\.entries.last).values(bufferingPolicy: .bufferingNewest(1))
    let byOwn = store.select(Selection(\.entries), .by({ $0.count / 3 == $1.count / 3 })).values
    let byOwnClosure = store.select(Selection { $0.entries }, .by({ $0.count / 3 == $1.count / 3 })).values
    for entry in 1...4 {
      await store.dispatch(Append(entry))
      await store.dispatch { _ in }
    }
    store.close()
    #expect(await all(byPath) == [1, 2, 3, 4, 5])
    #expect(await all(byClosure) == [0, 1, 2])
    #expect(await all(last) == [4])
    #expect(await all(byOwn) == [[7], [7, 1, 2]])
    #expect(await all(byOwnClosure) == [[7], [7, 1, 2]])
    // A stream of a closed store still delivers the last value.
    #expect(await all(store.select(\.entries.count).values) == [5])
    #expect(store.hub.isEmpty)
  }

  /// A state with numbers that are not equal to themselves.
  private struct Weather: Sendable {
    struct Reading: Equatable {
      var isValid = true
      var value = Double.nan
    }

    var days = 0
    var rain = Double.nan
    var wind = Reading()
  }

  /// A value that is not equal to itself is a repeat if its bits are the same, regardless of the bytes between its
  /// properties.
  @Test func p15_unchangedNaNIsARepeat() async {
    let store = Store(Weather())
    let byPath = store.select(\.rain).values
    let byClosure = store.select(Selection { $0.days == 9 ? nil : $0.rain }).values
    let structures = store.select(\.wind).values
    let newStructures = store.select(Selection { Weather.Reading(isValid: true, value: $0.wind.value) }).values
    for _ in 0..<5 { await store.dispatch { $0.days += 1 } }
    await store.dispatch { $0.rain = -.nan }
    for _ in 0..<5 { await store.dispatch { $0.days += 1 } }
    await store.dispatch { $0.wind.value = 1 }
    store.close()
    #expect(await all(byPath).map(\.bitPattern) == [Double.nan.bitPattern, (-Double.nan).bitPattern])
    #expect(await all(byClosure).map { $0?.sign } == [.plus, .minus, nil, .minus])
    #expect(await all(structures).map(\.value.isNaN) == [true, false])
    #expect(await all(newStructures).map(\.value.isNaN) == [true, false])
  }

  @MainActor @Test func p15_unchangedNaNIsNotObserved() async {
    final class Owner {}
    let (store, owner) = (Store(Weather()), Owner())
    let (seen, values) = AsyncStream<(Int, Weather.Reading)>.makeStream()
    store.select(\.wind).observe(owner) { values.yield((1, $1)) }
    store.select(Selection { $0.wind }).observe(owner) { values.yield((2, $1)) }
    let mirror = await store.select(Selection { $0.wind }).observable
    for _ in 0..<5 { await store.dispatch { $0.days += 1 } }
    #expect(mirror.value.value.isNaN)
    await store.dispatch { $0.wind.value = 1 }
    var counts = [1: 0, 2: 0]
    var ended = 0
    for await (number, reading) in seen {
      counts[number, default: 0] += 1
      if reading.value == 1 { ended += 1 }
      if ended == 2 { break }
    }
    #expect(counts == [1: 2, 2: 2])
    withExtendedLifetime(owner) {}
  }

  private func all<Value: Sendable>(_ values: AsyncStream<Value>) async -> [Value] {
    await values.reduce(into: []) { $0.append($1) }
  }

  /// A state that records each read of a property.
  private struct Looked: Sendable {
    let looks = Witness<Void>()
    var count = 0
    var numbers = Array(repeating: 0, count: 100)

    var double: Int {
      looks.saw(())
      return count * 2
    }

  }

  @Test func p15_equalKeyPathsAreEvaluatedOnce() async {
    let store = Store(Looked())
    let looks = await store.state.looks
    let streams = (0..<10).map { _ in store.select(\.double).values }
    #expect(looks.all.count == 1)
    for _ in 0..<5 { await store.dispatch { $0.count += 1 } }
    #expect(looks.all.count == 6)
    // Streams with their own comparison share one more evaluation.
    let byOwn = (0..<10).map { _ in store.select(Selection(\.double), .by(==)).values }
    #expect(looks.all.count == 7)
    await store.dispatch { $0.count += 1 }
    #expect(looks.all.count == 9)
    store.close()
    for values in streams { #expect(await all(values) == [0, 2, 4, 6, 8, 10, 12]) }
    for values in byOwn { #expect(await all(values) == [10, 12]) }
  }

  @Test func p16_aMutationEditsInPlaceDespiteStreamsOfValues() async {
    let store = Store(Looked())
    let values = store.select(\.count).values
    let edit: @Sendable (inout Looked) -> UInt = { looked in
      looked.count += 1
      looked.numbers[0] += 1
      return looked.numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let first = await store.dispatch(edit)
    for _ in 0..<5 { #expect(await store.dispatch(edit).output == first.output) }
    withExtendedLifetime(values) {}
  }

  /// Under any schedule, a stream delivers consecutive values, and the first value is no older than the call.
  @Test func p11_noGapAndNoRepeat() {
    explore {
      let store = Store(Log())
      async let problems = withTaskGroup { group in
        for index in 0..<3 {
          group.addTask { () -> String? in
            let before = await store.state.entries.count
            let counts = await
              (index == 0 ? store.select(Selection { $0.entries.count }).values : store.select(\.entries.count).values)
              .reduce(into: [Int]()) { $0.append($1) }
            return counts == Array((counts.first ?? 9)...4) && (counts.first ?? -1) >= before ? nil : "\(counts)"
          }
        }
        return await group.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
      }
      await withTaskGroup { group in
        for task in 0..<2 {
          group.addTask {
            await store.dispatch(SlowAppend(task))
            await store.dispatch(Append(task))
          }
        }
      }
      store.close()
      return await problems.first
    }
  }

  /// On real threads, tasks subscribe during commits and during the first evaluation.
  @Test func p11_onRealThreads() async {
    let store = Store(Log())
    let problems = Witness<String>()
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<300 { await store.dispatch(Append(task)) }
        }
        group.addTask {
          for _ in 0..<100 {
            let before = await store.state.entries.count
            var previous: Int?
            for await count in store.select(\.entries.count).values {
              if count < before { problems.saw("\(count) after \(before)") }
              if let previous, count != previous + 1 { problems.saw("\(count) after \(previous)") }
              previous = count
              if count >= min(before + 3, 1_200) { break }
            }
          }
        }
      }
    }
    #expect(problems.all.isEmpty)
    #expect(store.hub.isEmpty)
  }

  @Test func p6_streamsCreatedInsideAMutationStartWithItsCommit() async {
    let store = Store(Log())
    let made = await store.dispatch { log in
      log.entries.append(1)
      let values = [store.select(\.entries).values, store.select(\.entries).values]
      log.entries.append(2)
      return values
    }
    await store.dispatch(Append(3))
    store.close()
    for values in made.output ?? [] { #expect(await all(values) == [[1, 2], [1, 2, 3]]) }
    #expect(made.output?.count == 2)
  }

  /// A guard refuses the edit, so the commit that the stream waits for never happens.
  @Test(arguments: [false, true]) func p6_aStreamCreatedInsideARefusedEdit(isWatched: Bool) async {
    let made = Witness<AsyncStream<Int>>()
    let subscribe = Subscribe(made: made)
    let store = Store(Log(), guards: [subscribe])
    subscribe.store.saw(Weak(store))
    let before = isWatched ? store.select(\.entries.count).values : nil
    await store.dispatch(Append(1))
    #expect(await store.dispatch(Append(2)).isCommitted == false)
    await store.dispatch(SlowAppend(3))
    store.close()
    for values in made.all { #expect(await all(values) == [1, 2]) }
    #expect(made.all.count == 1)
    if let before { #expect(await all(before) == [0, 1, 2]) }
  }

  /// Subscribes to values when it is asked about an edit, and refuses the edit.
  private struct Subscribe: Guard {
    let store = Witness<Weak<Store<Log>>>()
    let made: Witness<AsyncStream<Int>>

    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? {
      guard action is Append, state.entries == [1], let store = store.all.first?.object else { return nil }
      made.saw(store.select(\.entries.count).values)
      return Veto("no")
    }
  }

  /// A filter of states runs between a commit and the evaluation of the selections.
  @Test func p11_streamsCreatedDuringACommitStartWithIt() async {
    let store = Store(Log())
    let made = Witness<AsyncStream<Int>>()
    let before = store.select(\.entries.count).values
    let states = store.states { previous, new in
      if new.entries == [1] { made.saw(store.select(\.entries.count).values) }
      return true
    }
    async let seen = all(states)
    // Waits until the consumer of the states has received the first one and waits for the next.
    while store.diagnostics.subscribers.first?.received != 1 || store.hub.states.waitingCount == 0 {
      await Task.yield()
    }
    await store.dispatch(Append(1))
    await store.dispatch(Append(2))
    store.close()
    #expect(await seen.count == 3)
    #expect(await all(before) == [0, 1, 2])
    #expect(made.all.count == 1)
    for values in made.all { #expect(await all(values) == [1, 2]) }
  }

  @Test func p14_endsWhenItsConsumerStops() async {
    let store = Store(Log())
    for await _ in store.select(\.entries).values { break }
    _ = store.select(Selection { $0.entries.count }).values
    #expect(store.hub.isEmpty)
    #expect(!store.queue.watch { $0 })
  }

  @Test func p14_streamsDoNotKeepTheStoreAlive() async {
    var store: Store<Log>? = Store(Log())
    let released = Weak(store)
    let values = store?.select(\.entries.count).values
    await store?.dispatch(Append(1))
    store = nil
    #expect(released.object == nil)
    if let values { #expect(await all(values) == [0, 1]) }
  }

  /// Only the schedule decides the order of events in a simulation, so the order must not depend on addresses.
  @Test func selectionsAreEvaluatedInTheOrderOfTheirFirstSubscribers() async {
    let store = Store(Log())
    let evaluated = Witness<Int>()
    let streams = (0..<8).map { number in
      store.select(
        Selection { log in
          evaluated.saw(number)
          return log.entries.count
        }
      ).values
    }
    await store.dispatch(Append(1))
    #expect(evaluated.all == Array(0..<8) + Array(0..<8))
    withExtendedLifetime(streams) {}
  }
}
