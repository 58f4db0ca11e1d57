import ActorStore

/// The state of most scenarios.
struct Counter: Sendable {
  var count = 0
  var last = 0
}

/// A bare actor, which promises no order and is the baseline of many cases.
actor BareCounter {
  static let name = "bare actor"

  struct Odd: Error {}

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

  func incrementUnlessOdd(_ number: Int) throws(Odd) -> Int {
    if number % 2 == 1 { throw Odd() }
    counter.count &+= 1
    return counter.count
  }
}

/// The calls of one task.
struct Calls {
  let count: Int
  let task: Int
  /// The amount of work between two calls.
  let pause: Int

  /// The amount of work between two calls if several tasks contend, or only one runs.
  static func pause(tasks: Int) -> Int { tasks == 1 ? 1 : 200 }
}

/// The calls of one task to a bare actor.
@concurrent
func bareCalls(_ bare: BareCounter, _ calls: Calls) async {
  for step in 0..<calls.count {
    _ = await bare.increment(by: calls.task)
    _ = work(step, calls.pause)
  }
}

/// Calls a bare actor `count` times from one task, with a little work between the calls.
@concurrent
func bareCalls(_ bare: BareCounter, _ count: Int) async {
  await bareCalls(bare, Calls(count: count, task: 0, pause: Calls.pause(tasks: 1)))
}

/// A mutation that increments the count and returns it.
struct Increment: Mutation {
  let task: Int

  func run(_ counter: inout Counter) -> Int {
    counter.count &+= 1
    counter.last = task
    return counter.count
  }
}

/// An asynchronous action that makes the same change as `Increment`, on a draft.
struct IncrementLater: Action {
  let task: Int

  func run(_ counter: inout Counter) async -> Int {
    counter.count &+= 1
    counter.last = task
    return counter.count
  }
}

/// A mutation that fails for odd numbers.
struct IncrementUnlessOdd: Mutation {
  let number: Int

  func run(_ counter: inout Counter) throws(BareCounter.Odd) -> Int {
    counter.count &+= 1
    if number % 2 == 1 { throw BareCounter.Odd() }
    return counter.count
  }
}

/// An action that suspends halfway.
struct IncrementSlowly: Action {
  let task: Int

  func run(_ counter: inout Counter) async -> Int {
    let before = counter.count
    await Task.yield()
    counter.count = before &+ 1
    counter.last = task
    return counter.count
  }
}

/// A middleware that does nothing.
struct PassingMiddleware: SynchronousMiddleware {
  typealias State = Counter

  func run<A: Action<Counter>>(
    _ action: A,
    on state: inout Counter,
    next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    try await next(action, &state)
  }

  func run<A: Action<Counter>>(
    _ action: A,
    on state: inout Counter,
    next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    try next(action, &state)
  }
}
