import ActorStore

/// The cost of changing one element, whatever the size of the state (P16).
enum Growth {
  struct Elements: Sendable {
    var numbers: [Int]
  }

  struct Bump: Mutation {
    func run(_ elements: inout Elements) { elements.numbers[3] &+= 1 }
  }

  static let all: [Scenario] = [1_000, 100_000].flatMap { size in
    [
      scenario("mutation, \(size) elements", size, { await mutations($0, $1) }),
      scenario("closure, \(size) elements", size, { await closures($0, $1) }),
      scenario("generic, \(size) elements", size, { await generically($0, $1) }),
      scenario("any Action, \(size) elements", size, { await anyActions($0, $1) }),
    ]
  }

  private typealias Load = @concurrent @Sendable (Store<Elements>, Int) async -> Void

  @concurrent
  private static func mutations(_ store: Store<Elements>, _ count: Int) async {
    for _ in 0..<count { await store.dispatch(Bump()) }
  }

  @concurrent
  private static func closures(_ store: Store<Elements>, _ count: Int) async {
    for _ in 0..<count { await store.dispatch { $0.numbers[3] &+= 1 } }
  }

  @concurrent
  private static func generically(_ store: Store<Elements>, _ count: Int) async {
    for _ in 0..<count { await dispatch(Bump(), to: store) }
  }

  @inline(never)
  private static func dispatch<A: Action>(_ action: A, to store: Store<A.State>) async {
    _ = try? await store.dispatch(action)
  }

  @concurrent
  private static func anyActions(_ store: Store<Elements>, _ count: Int) async {
    let action: any Action<Elements> = Bump()
    for _ in 0..<count { _ = try? await store.dispatch(action) }
  }

  /// The baseline is the same call on a state of ten elements.
  private static func scenario(_ name: String, _ size: Int, _ load: @escaping Load) -> Scenario {
    Scenario(name: name) { context in
      let count = context.scaled(40_000)
      let rounds = context.options.isQuick ? 3 : 5
      // A copy of 100,000 elements costs hundreds of calls; a busy machine makes a round three times as long.
      let limit = 30.0
      let small = Store(Elements(numbers: Array(repeating: 0, count: 10)))
      let large = Store(Elements(numbers: Array(repeating: 0, count: size)), name: name)
      context.watch { "\(large.diagnostics)" }
      let figures = await compare(rounds: rounds, operations: count) {
        await load(small, count)
        context.beat()
      } subject: {
        await load(large, count)
        context.beat()
      }
      return Row(
        name: name, operations: count * rounds, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio,
        violations: context.expect("\(name), changes", await large.state.numbers[3], count * rounds)
          + context.expect("\(name), cost grows with the state (P16)", figures.ratio.median > limit, false))
    }
  }
}
