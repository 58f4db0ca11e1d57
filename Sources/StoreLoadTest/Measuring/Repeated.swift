import ActorStore

/// One thing, done so many times and nothing else: for tools that count instructions.
///
/// All of it runs on one thread, one task after the other as they come, so that each time takes as many.
enum Repeated: String, CaseIterable, Sendable {
  /// An uncontended dispatch of a mutation.
  case dispatch
  /// An uncontended dispatch of an asynchronous action.
  case action
  /// An uncontended dispatch of a closure.
  case closure
  /// A mutation sent to an idle store.
  case send
  /// A commit for which one parked subscriber is woken, until it is parked again.
  case commit

  func run(_ count: Int) {
    OneThread.run {
      switch self {
      case .dispatch:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch(Increment(task: 0)) }
      case .action:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch(IncrementLater(task: 0)) }
      case .closure:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch { $0.count &+= 1 } }
      case .send:
        let store = Store(Counter())
        for _ in 0..<count { store.send(Increment(task: 0)) }
      case .commit:
        await Self.commit(count)
      }
    }
  }

  private static func commit(_ count: Int) async {
    let store = Store(Counter())
    let states = store.states
    async let seen: Int = {
      var seen = 0
      for await _ in states { seen += 1 }
      return seen
    }()
    // It takes the state to begin with, and parks.
    await Task.yield()
    for _ in 0..<count {
      await store.dispatch(Increment(task: 0))
      await Task.yield()
    }
    store.close()
    let total = await seen
    precondition(total == count + 1, "a subscriber was not parked at each commit")
  }
}
