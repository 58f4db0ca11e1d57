import ActorStore

/// The state of most scenarios.
struct Counter: Sendable {
  var count = 0
  var last = 0
}

/// The baseline: an actor and nothing else, which promises no order.
actor BareCounter {
  private var counter = Counter()

  func increment(by task: Int) -> Int {
    counter.count &+= 1
    counter.last = task
    return counter.count
  }

  func incrementSlowly(by task: Int) async {
    await Task.yield()
    counter.count &+= 1
    counter.last = task
  }
}

struct Increment: Mutation {
  let task: Int

  func run(_ counter: inout Counter) -> Int {
    counter.count &+= 1
    counter.last = task
    return counter.count
  }
}

/// The same change by an asynchronous action, which works on a draft.
struct IncrementLater: Action {
  let task: Int

  func run(_ counter: inout Counter) async -> Int {
    counter.count &+= 1
    counter.last = task
    return counter.count
  }
}
