import ActorStore

/// The example in the overview of `ActorStore`.
struct Overview {
  struct Counter: Sendable {
    var count = 0
  }

  struct Increment: Mutation {
    func run(_ counter: inout Counter) { counter.count += 1 }
  }

  /// Runs the example, and returns the count at its end.
  func run() async -> Int {
    let store = Store(Counter())
    await store.dispatch(Increment())  // This action cannot fail, so there is no `try`.
    await store.dispatch { $0.count += 1 }  // A closure is an action, too.
    let ticket = store.send(Increment())  // Synchronous code sends actions.
    _ = await ticket.outcome
    return await store.state.count
  }
}
