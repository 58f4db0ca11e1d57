import ActorStore

/// The state of most scenarios.
struct Counter: Sendable {
  var count = 0
  var last = 0
}

/// The baseline: an actor and nothing else, which promises no order.
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

/// The baseline of one task: so many bare calls, with as much between them as there is in what is compared.
@concurrent
func bareCalls(_ bare: BareCounter, _ count: Int) async {
  for step in 0..<count {
    _ = await bare.increment(by: 0)
    _ = work(step, 1)
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

/// A mutation that can fail, and does every second time.
struct IncrementUnlessOdd: Mutation {
  let number: Int

  func run(_ counter: inout Counter) throws(BareCounter.Odd) -> Int {
    counter.count &+= 1
    if number % 2 == 1 { throw BareCounter.Odd() }
    return counter.count
  }
}

/// An action that suspends half-way.
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
