import ActorStore
import Synchronization

/// One state going out to a thousand subscribers, beside doing it by hand: an `AsyncStream` continuation for each.
enum Fanout {
  static let all = [
    behind("1,000 behind, unbounded", .unbounded),
    behind("1,000 behind, newest(1)", .bufferingNewest(1)),
    growth("1,000 behind to 1, unbounded", .unbounded),
    growth("1,000 behind to 1, newest(1)", .bufferingNewest(1)),
    reading("1,000 reading, unbounded", .unbounded),
    reading("1,000 reading, newest(1)", .bufferingNewest(1)),
    Scenario(name: selected, run: selecting),
  ]

  private typealias Policy = AsyncStream<Counter>.Continuation.BufferingPolicy

  private static let subscribers = 1_000

  /// What one would write without a store.
  private final class ByHand: Sendable {
    private let continuations = Mutex<[AsyncStream<Counter>.Continuation]>([])

    func states(_ policy: Policy) -> AsyncStream<Counter> {
      let (states, continuation) = AsyncStream<Counter>.makeStream(bufferingPolicy: policy)
      continuations.withLock { $0.append(continuation) }
      return states
    }

    func publish(_ state: Counter) {
      for continuation in continuations.withLock({ $0 }) { continuation.yield(state) }
    }
  }

  /// What a commit costs while nobody reads.
  private static func behind(_ name: String, _ policy: Policy) -> Scenario {
    Scenario(name: name) { context in
      let byHandCount = context.scaled(400)
      let count = context.scaled(100_000)
      var costs: [Double] = []
      var baselines: [Double] = []
      for _ in 0..<3 {
        let byHand = ByHand()
        let states = (0..<subscribers).map { _ in byHand.states(policy) }
        baselines.append(
          await nanosecondsPerOperation(byHandCount) {
            for number in 0..<byHandCount { byHand.publish(Counter(count: number)) }
          })
        withExtendedLifetime(states) {}
        costs.append(await commits(subscribers, count, policy, context))
      }
      return Row(
        name: name, operations: 3 * count, nanoseconds: Spread(costs), baseline: Spread(baselines),
        ratio: Spread(zip(costs, baselines).map { $0 / $1 }))
    }
  }

  /// The same, beside a commit that one watches.
  private static func growth(_ name: String, _ policy: Policy) -> Scenario {
    Scenario(name: name) { context in
      let count = context.scaled(100_000)
      var costs: [Double] = []
      var withOne: [Double] = []
      for _ in 0..<5 {
        withOne.append(await commits(1, count, policy, context))
        costs.append(await commits(subscribers, count, policy, context))
      }
      let growth = Spread(zip(costs, withOne).map { $0 / $1 })
      // What is promised is that it does not grow; a busy machine is not a broken promise.
      return Row(
        name: name, operations: 5 * count, nanoseconds: Spread(costs), baseline: Spread(withOne), ratio: growth,
        violations: context.expect("\(name), cost grows with the subscribers (P15)", growth.median > 5, false))
    }
  }

  private static func commits(_ subscribers: Int, _ count: Int, _ policy: Policy, _ context: Context) async -> Double {
    let store = Store(Counter(), name: "\(subscribers) behind")
    context.watch { "\(store.name), revision \(store.diagnostics.revision)" }
    let states = (0..<subscribers).map { _ in store.states(bufferingPolicy: policy) }
    let figure = await nanosecondsPerOperation(count) {
      for step in 0..<count {
        await store.dispatch(Increment(task: 0))
        _ = work(step, 1)
      }
    }
    withExtendedLifetime(states) {}
    return figure
  }

  /// What a commit costs all told, until everybody has seen the last one.
  private static func reading(_ name: String, _ policy: Policy) -> Scenario {
    Scenario(name: name) { context in
      let count = context.scaled(400)
      let rounds = context.options.isQuick ? 3 : 5
      let figures = await compare(rounds: rounds, operations: count) {
        let byHand = ByHand()
        await readingAll(count, (0..<subscribers).map { _ in byHand.states(policy) }) {
          byHand.publish(Counter(count: $0))
        }
        context.beat()
      } subject: {
        let store = Store(Counter())
        await readingAll(count, (0..<subscribers).map { _ in store.states(bufferingPolicy: policy) }) { _ in
          await store.dispatch(Increment(task: 0))
        }
        context.beat()
      }
      return Row(
        name: name, operations: count * rounds, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio)
    }
  }

  private static func readingAll(
    _ count: Int,
    _ streams: [AsyncStream<Counter>],
    _ publish: @Sendable (Int) async -> Void
  ) async {
    await withTaskGroup { group in
      for states in streams {
        group.addTask { for await state in states where state.count == count { break } }
      }
      for number in 1...count {
        await publish(number)
        if number % 8 == 0 { await Task.yield() }
      }
    }
  }

  // MARK: Selected values

  private static let selected = "10,000 on 5 selections"

  /// Five things to select, which say how often they were looked at.
  private struct Form: Sendable {
    let looks = Tally()
    var numbers = [0, 0, 0, 0, 0]

    var first: Int { look(0) }
    var second: Int { look(1) }
    var third: Int { look(2) }
    var fourth: Int { look(3) }
    var fifth: Int { look(4) }

    private func look(_ index: Int) -> Int {
      looks.add(1)
      return numbers[index]
    }
  }

  /// The figure is a commit that changes what one of the selections selects, until 2,000 have got it.
  @Sendable private static func selecting(_ context: Context) async -> Row {
    let count = context.scaled(100)
    let store = Store(Form(), name: selected)
    context.watch { "\(selected): \(store.name)" }
    let looks = await store.state.looks
    let paths: [any KeyPath<Form, Int> & Sendable] = [\.first, \.second, \.third, \.fourth, \.fifth]
    let received = Tally()
    var figures: [Double] = []
    var before = 0
    await withTaskGroup { group in
      for index in 0..<10_000 {
        let values = store.values(of: paths[index % 5])
        group.addTask { for await _ in values { received.add(1) } }
      }
      while received.total < 10_000 { await Task.yield() }
      before = looks.total
      for number in 1...count {
        figures.append(
          await nanosecondsPerOperation(1) {
            await store.dispatch { $0.numbers[0] += 1 }
            while received.total < 10_000 + 2_000 * number { await Task.yield() }
          })
        context.beat()
      }
      store.close()
    }
    return Row(
      name: selected, operations: count, nanoseconds: Spread(figures),
      violations: context.expect("\(selected), evaluations", looks.total - before, 5 * count)
        + context.expect("\(selected), evaluations to begin with", before, 5)
        + context.expect("\(selected), values received", received.total, 10_000 + 2_000 * count))
  }
}
