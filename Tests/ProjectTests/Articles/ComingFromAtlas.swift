import ActorStore

// The examples in the article "Coming from Atlas", in the order of the article.

struct CountState: Sendable {
  var count: Int
}

struct YourError: Error {}

struct Increment: Mutation {
  func run(_ state: inout CountState) {
    state.count += 1
  }
}

struct Fetch: Action {
  let result: @Sendable () async throws(YourError) -> Int

  func run(_ state: inout CountState) async throws(YourError) {
    state.count = try await result()
  }
}

@MainActor final class CountScreen {
  private(set) var title = ""

  init(_ store: Store<CountState>) {
    store.select(\.count).observe(self) { screen, count in screen.title = "\(count)" }
  }
}

struct Decrement: Mutation {
  func run(_ state: inout CountState) {
    state.count -= 1
  }
}

struct CountOperation: ActionGroup {
  func run(with store: Store<CountState>) async throws(NotCommitted) {
    try await store.dispatch(Increment()).get()
    try await store.dispatch(Increment()).get()
    try await store.dispatch(Increment()).get()
    try await store.dispatch(Decrement()).get()
  }
}

struct Logger: Guard {
  // The default implementation also lets every action run.
  func veto<A: Action<CountState>>(_ action: A, state: CountState) -> Veto? {
    nil
  }

  func willUpdate<A: Action<CountState>>(_ action: A, state: CountState) {
    print("will update!", state.count)
  }

  func didUpdate<A: Action<CountState>>(_ action: A, old: CountState?, new: CountState) {
    print("update!", new.count)
  }
}

/// Runs all examples, and returns the counts of both stores at the end.
func comingFromAtlas() async throws -> [Int] {
  let store = Store(CountState(count: 0))

  let outcome = await store.dispatch(Increment(), returning: { $0 })
  if let state = outcome.output { print("done!", state.count) }

  let screen = await CountScreen(store)
  let ticket = store.send(Increment())
  _ = await ticket.outcome
  try await store.dispatch(Fetch { 10 })

  try await store.dispatch(CountOperation()).get()
  print("done!", await store.state.count)

  try await store.transaction { transaction in
    for _ in 0..<3 { try transaction.run(Increment()) }
    try transaction.run(Decrement())
  }

  while await screen.title != "14" { await Task.yield() }

  let logged = Store(CountState(count: 0), guards: [Logger()])
  await logged.dispatch(Increment())
  return [await store.state.count, await logged.state.count]
}
