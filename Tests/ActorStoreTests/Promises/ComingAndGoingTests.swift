import Dispatch
import Foundation
import Synchronization
import TestSize
import Testing

@testable import ActorStore

/// P11 and P14: While subscribers come and go, no state is missed, repeated, or leaked.
@Suite struct ComingAndGoingTests {
  /// Counts the marks that are alive.
  private final class Census: Sendable {
    final class Mark: Sendable {
      private let census: Census

      init(_ census: Census) {
        self.census = census
        census.alive.wrappingAdd(1, ordering: .relaxed)
      }

      deinit {
        census.alive.wrappingSubtract(1, ordering: .relaxed)
      }
    }

    private let alive = Atomic<Int>(0)

    var count: Int { alive.load(ordering: .relaxed) }
    func mark() -> Mark { Mark(self) }
  }

  private final class Place<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)

    var content: Value? { value.withLock { $0 } }
    func put(_ content: Value?) { value.withLock { $0 = content } }
  }

  private struct Numbered: Sendable {
    var number = 0
    var mark: Census.Mark
  }

  private enum Way: CaseIterable {
    case stop, cancel, dropUnread, dropHalfway, cancelWhileAsked, cancelByAnother
  }

  /// Subscribers leave in each possible way, repeatedly, while four tasks dispatch.
  ///
  /// Each commit and each filter has a mark, which reveals leaks.
  @Test func p14_noStateIsLeakedOrMissed() async {
    let census = Census()
    let problems = Witness<String>()
    let goings = Witness<Way>()
    do {
      let store = Store(Numbered(mark: census.mark()))
      let steady = (0..<3).map { _ in store.states }
      let isOver = Flag()
      await withTaskGroup { group in
        for states in steady {
          group.addTask {
            let numbers = await states.reduce(into: [Int]()) { $0.append($1.number) }
            if numbers != Array(0...800) { problems.saw("a steady subscriber saw \(numbers.count) states") }
          }
        }
        for way in Way.allCases {
          group.addTask {
            while !isOver.isSet {
              await Self.comeAndGo(way, store, census, problems)
              goings.saw(way)
              // Some ways never suspend, and other tests may block the other threads of the pool.
              await Task.yield()
            }
          }
        }
        group.addTask {
          await withTaskGroup { group in
            for _ in 0..<4 {
              group.addTask {
                for _ in 0..<200 { await store.dispatch { ($0.number, $0.mark) = ($0.number + 1, census.mark()) } }
              }
            }
          }
          isOver.set()
          store.close()
        }
      }
      #expect(store.hub.isEmpty)
      #expect(store.hub.states.backlogCount == 0)
      // Only the current state's mark is alive.
      #expect(census.count == 1)
    }
    #expect(census.count == 0)
    #expect(problems.all.isEmpty)
    #expect(Set(goings.all).count == Way.allCases.count)
  }

  private static func comeAndGo(
    _ way: Way,
    _ store: Store<Numbered>,
    _ census: Census,
    _ problems: Witness<String>
  ) async {
    let mark = census.mark()
    let consumer = Place<Task<[Int], Never>>()
    let states = store.states { previous, new in
      withExtendedLifetime(mark) {}
      if way == .cancelWhileAsked, previous != nil { consumer.content?.cancel() }
      return true
    }
    var seen: [Int] = []
    switch way {
    case .dropUnread:
      break
    case .stop:
      for await state in states {
        seen.append(state.number)
        if seen.count == 5 { break }
      }
    case .dropHalfway:
      var iterator = states.makeAsyncIterator()
      for _ in 0..<3 { if let state = await iterator.next() { seen.append(state.number) } }
    case .cancel, .cancelByAnother, .cancelWhileAsked:
      let task = Task { await states.reduce(into: [Int]()) { $0.append($1.number) } }
      consumer.put(task)
      if way == .cancelByAnother { await Task { task.cancel() }.value }
      if way == .cancel { task.cancel() }
      seen = await task.value
      consumer.put(nil)
    }
    if zip(seen, seen.dropFirst()).contains(where: { $0 + 1 != $1 }) { problems.saw("\(way): \(seen)") }
  }

  /// Consumers of the same stream share its states, and canceling one of them ends the stream for all.
  ///
  /// Therefore, each consumer needs its own call to `states`.
  @Test func twoConsumersShareOneStream() async {
    let store = Store(Log())
    let states = store.states
    let seen = Witness<Int>()
    let consumers = (0..<2).map { _ in
      Task { for await state in states { seen.saw(state.entries.count) } }
    }
    for entry in 0..<20 { await store.dispatch(SlowAppend(entry)) }
    while seen.all.count < 21 { await Task.yield() }
    #expect(seen.all.sorted() == Array(0...20))
    consumers[0].cancel()
    for consumer in consumers { await consumer.value }
    #expect(store.hub.isEmpty)
  }

  /// A stream created while a mutation edits the state on another thread starts with the mutation's commit.
  @Test func p6_aStreamCreatedWhileAnotherThreadEditsInPlace() async {
    let store = Store(Log())
    let (began, release) = (Gate(), DispatchSemaphore(value: 0))
    // An idle store runs a sent mutation inside the call, here on a thread outside of the cooperative thread pool.
    Thread.detachNewThread {
      store.send { log in
        log.entries.append(1)
        began.open()
        release.wait()
        log.entries.append(2)
      }
    }
    await began.wait()
    let (states, counts) = (store.states, store.select(\.entries.count).values)
    let filtered = store.states(bufferingPolicy: .bufferingOldest(1)) { previous, _ in previous == nil }
    let early: Subscription<Log> = store.subscription(.unbounded, filter: nil)
    if let log = early.takeAccepted() { Issue.record("a draft was seen: \(log)") }
    release.signal()
    await store.dispatch(Append(3))
    store.close()
    #expect(await states.reduce(into: []) { $0.append($1.entries) } == [[1, 2], [1, 2, 3]])
    #expect(await counts.reduce(into: []) { $0.append($1) } == [2, 3])
    #expect(await filtered.reduce(into: []) { $0.append($1.entries) } == [[1, 2]])
  }

  /// A slow filter delays the committing task, but not subscribers without a filter.
  @Test(.namedIfItHangs) func p15_aSlowFilterDoesNotDelayUnfilteredSubscribers() async {
    let store = Store(Log())
    let release = DispatchSemaphore(value: 0)
    let slow = store.states { previous, _ in
      if previous != nil { release.wait() }
      return true
    }
    let (waiting, quick) = (Task { await slow.first { !$0.entries.isEmpty } }, store.states)
    while store.hub.states.waitingCount == 0 { await Task.yield() }
    let told = Task { await quick.first { !$0.entries.isEmpty } }
    while store.hub.states.waitingCount < 2 { await Task.yield() }
    Thread.detachNewThread { store.send(Append(1)) }
    // The filter has not returned yet.
    #expect(await told.value?.entries == [1])
    release.signal()
    #expect(await waiting.value?.entries == [1])
  }
}
