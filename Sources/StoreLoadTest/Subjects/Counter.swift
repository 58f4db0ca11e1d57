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

/// Calls a bare actor `count` times from one task, with a little work between the calls.
@concurrent
func bareCalls(_ bare: BareCounter, _ count: Int) async {
  for step in 0..<count {
    _ = await bare.increment(by: 0)
    _ = work(step, 1)
  }
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
