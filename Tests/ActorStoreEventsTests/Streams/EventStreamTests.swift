import ActorStore
import ActorStoreEvents
import SeededRandom
import Testing

@Suite struct EventStreamTests {
  @Test func e6_yieldsOneElementPerCommit() async {
    let store = Store(TodoApp())
    var commits = store.events().makeAsyncIterator()
    await store.dispatch(.added("milk"))
    await store.dispatch([.added("eggs"), .todo(1, .toggled)])
    await store.dispatch { $0.todos = [] }
    store.send(.added("tea"))
    store.close()
    var seen: [(UInt64, [TodoApp.Event], Int?, Int)] = []
    while let commit = await commits.next() {
      seen.append((commit.revision, commit.events, commit.old?.todos.count, commit.new.todos.count))
    }
    #expect(seen.map(\.0) == [0, 1, 2, 3, 4])
    #expect(seen.map(\.1) == [[], [.added("milk")], [.added("eggs"), .todo(1, .toggled)], [], [.added("tea")]])
    #expect(seen.map(\.2) == [nil, 0, 1, 2, 0])
    #expect(seen.map(\.3) == [0, 1, 2, 0, 1])
  }

  @Test func e6_aTransactionHasTheEventsOfItsMembers() async throws {
    let store = Store(TodoApp())
    var commits = store.events().makeAsyncIterator()
    _ = await commits.next()
    try await store.transaction { transaction in
      try transaction.run(.added("milk"))
      try transaction.run { $0.todos[0].name = "oat milk" }
      try transaction.run(.todo(0, .toggled))
    }
    #expect(await commits.next()?.events == [.added("milk"), .todo(0, .toggled)])
  }

  @Test func e7_aChildHasItsOwnEvents() async {
    let store = Store(TodoApp())
    var commits = store.events(of: TodoApp.todo[1]).makeAsyncIterator()
    await store.dispatch(.added("milk"))
    await store.dispatch(.added("eggs"))
    await store.dispatch(.todo(0, .toggled))
    await store.dispatch([.todo(1, .toggled), .all(.renamed("tea"))])
    await store.dispatch { $0.todos.removeLast() }
    await store.dispatch(.todo(1, .toggled))
    store.close()
    var seen: [(UInt64, [Todo.Event], String?, String?)] = []
    while let commit = await commits.next() {
      seen.append((commit.revision, commit.events, commit.old?.name, commit.new?.name))
    }
    #expect(seen.map(\.0) == [0, 2, 4, 5])
    #expect(seen.map(\.1) == [[], [], [.toggled, .renamed("tea")], []])
    #expect(seen.map(\.2) == [nil, nil, "eggs", "tea"])
    #expect(seen.map(\.3) == [nil, "eggs", "tea", nil])
  }

  /// A commit of several events can add and remove the child between them.
  @Test func e7_aChildHasOnlyTheEventsThatItGot() async throws {
    let store = Store(TodoApp())
    var commits = store.events(of: TodoApp.todo[0]).makeAsyncIterator()
    _ = await commits.next()
    await store.dispatch([.todo(0, .toggled), .added("milk"), .todo(0, .renamed("tea"))])
    await store.dispatch([.todo(0, .toggled), .cleared, .all(.toggled), .todo(0, .toggled)])
    await store.dispatch([.todo(0, .toggled), .added("milk"), .todo(1, .toggled), .cleared])
    await store.dispatch([.added("eggs"), .todo(0, .toggled), .cleared, .added("oats"), .todo(0, .renamed("rye"))])
    await store.dispatch([.added("salt"), .todo(1, .toggled)])
    try await store.transaction { transaction in
      try transaction.run(.cleared)
      try transaction.run(.todo(0, .toggled))
    }
    store.close()
    var seen: [(UInt64, [Todo.Event], String?)] = []
    while let commit = await commits.next() { seen.append((commit.revision, commit.events, commit.new?.name)) }
    #expect(seen.map(\.0) == [1, 2, 4, 6])
    #expect(seen.map(\.1) == [[.renamed("tea")], [.toggled], [.toggled, .renamed("rye")], []])
    #expect(seen.map(\.2) == ["tea", nil, "rye", nil])
  }

  /// If only events change the state, it is the fold of its events, whichever subscribers come and go.
  @Test(arguments: 0..<20 as Range<UInt64>) func e6_theStateIsTheFoldOfItsEvents(_ seed: UInt64) async throws {
    let store = Store(TodoApp(), guards: [EventsOnly()])
    var random = SplitMix64(seed)
    var streams: [EventStream<TodoApp, EventCommit<TodoApp>>] = []
    for number in 0..<100 {
      switch random.below(10) {
      case 0: streams.append(store.events())
      case 1: if !streams.isEmpty { streams.remove(at: random.below(streams.count)) }
      case 2: await store.dispatch([.added("\(number)"), .todo(random.below(10), .toggled)])
      case 3: await store.dispatch { $0.todos = [] }
      case 4:
        let id = random.below(10)
        try await store.transaction { transaction in
          try transaction.run(.all(.toggled))
          try transaction.run(.todo(id, .renamed("\(number)")))
        }
      case 5: await store.dispatch(.filter(.changed("\(number)")))
      default: store.send(.added("\(number)"))
      }
    }
    store.close()
    for stream in streams {
      var state: TodoApp?
      for await commit in stream {
        guard var folded = state else {
          state = commit.new
          continue
        }
        for event in commit.events { folded.react(to: event) }
        #expect(folded == commit.new)
        state = folded
      }
      #expect(await state == store.state)
    }
  }

  /// The fold also holds if tasks emit events concurrently and the state refuses some of them.
  @Test(arguments: 0..<10 as Range<UInt64>) func e6_theStateIsTheFoldOfConcurrentEvents(_ seed: UInt64) async throws {
    let store = Store(Account(), guards: [EventsOnly()])
    let streams = await withTaskGroup(of: [EventStream<Account, EventCommit<Account>>].self) { group in
      for task in 0..<4 as Range<UInt64> {
        group.addTask {
          var random = SplitMix64(seed &* 4 &+ task)
          var streams: [EventStream<Account, EventCommit<Account>>] = []
          for _ in 0..<100 {
            switch random.below(8) {
            case 0: streams.append(store.events())
            case 1: if !streams.isEmpty { streams.removeLast() }
            case 2: _ = try? await store.dispatch([.deposited(2), .withdrew(random.below(5))])
            case 3: store.send(.withdrew(random.below(9)))
            default: _ = try? await store.dispatch(.deposited(random.below(4)))
            }
          }
          return streams
        }
      }
      return await group.reduce(into: [store.events()]) { $0 += $1 }
    }
    try await store.closeAndDrain()
    for stream in streams {
      var state: Account?
      for await commit in stream {
        guard var folded = state else {
          state = commit.new
          continue
        }
        for event in commit.events { try folded.react(to: event) }
        #expect(folded == commit.new)
        state = folded
      }
      #expect(await state == store.state)
    }
  }

  @MainActor private final class Screen {
    var seen: [[TodoApp.Event]] = []
    let isDone = AsyncStream<Void>.makeStream()
  }

  @MainActor @Test func e6_anObjectObservesEventsOnItsActor() async {
    let (store, screen) = (Store(TodoApp()), Screen())
    store.observeEvents(screen) { screen, commit in
      screen.seen.append(commit.events)
      if screen.seen.count == 3 { screen.isDone.continuation.finish() }
    }
    store.send(.added("milk"))
    store.send(.added("eggs"))
    for await _ in screen.isDone.stream {}
    #expect(screen.seen == [[], [.added("milk")], [.added("eggs")]])
  }

  @MainActor private final class Row {
    var seen: [[Todo.Event]] = []
    let isDone = AsyncStream<Void>.makeStream()
  }

  @MainActor @Test func e7_anObjectObservesTheEventsOfAChild() async {
    let (store, row) = (Store(TodoApp()), Row())
    store.observeEvents(of: TodoApp.todo[1], row) { row, commit in
      row.seen.append(commit.events)
      if commit.events.contains(.renamed("tea")) { row.isDone.continuation.finish() }
    }
    store.send(.added("milk"))
    store.send(.added("eggs"))
    store.send(.todo(0, .toggled))
    store.send(.todo(1, .toggled))
    store.send(.todo(1, .renamed("tea")))
    for await _ in row.isDone.stream {}
    #expect(row.seen == [[], [], [.toggled], [.renamed("tea")]])
  }

  private actor Clerk {
    var seen: [Todo.Event] = []
    let isDone = AsyncStream<Void>.makeStream()

    func add(_ commit: ChildCommit<Todo>) {
      seen += commit.events
      if seen.count == 2 { isDone.continuation.finish() }
    }
  }

  @Test func e7_anActorObservesTheEventsOfAChild() async {
    let (store, clerk) = (Store(TodoApp()), Clerk())
    store.observeEvents(of: TodoApp.todo[0], clerk) { clerk, commit in clerk.add(commit) }
    store.send([.added("milk"), .todo(0, .toggled)])
    store.send(.all(.toggled))
    for await _ in clerk.isDone.stream {}
    #expect(await clerk.seen == [.toggled, .toggled])
  }

  private actor Audit {
    var count = 0
    let isDone = AsyncStream<Void>.makeStream()

    func add(_ commit: EventCommit<TodoApp>) {
      count += commit.events.count
      if count == 2 { isDone.continuation.finish() }
    }
  }

  @Test func e6_anActorObservesEvents() async {
    let (store, audit) = (Store(TodoApp()), Audit())
    store.observeEvents(audit) { audit, commit in audit.add(commit) }
    store.send([.added("milk"), .added("eggs")])
    for await _ in audit.isDone.stream {}
    #expect(await audit.count == 2)
  }
}
