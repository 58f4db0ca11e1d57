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
      scenario("mutation, \(size) elements", size, Direct.self),
      scenario("closure, \(size) elements", size, Closure.self),
      scenario("generic, \(size) elements", size, Generic.self),
      scenario("any Action, \(size) elements", size, Erased.self),
    ]
  }

  /// One way to make the change.
  private protocol Way: SendableMetatype {
    static func bump(_ store: Store<Elements>) async
  }

  private enum Direct: Way {
    static func bump(_ store: Store<Elements>) async { await store.dispatch(Bump()) }
  }

  private enum Closure: Way {
    static func bump(_ store: Store<Elements>) async { await store.dispatch { $0.numbers[3] &+= 1 } }
  }

  private enum Generic: Way {
    static func bump(_ store: Store<Elements>) async { await dispatch(Bump(), store) }

    @inline(never)
    private static func dispatch<A: Action>(_ action: A, _ store: Store<A.State>) async {
      _ = try? await store.dispatch(action)
    }
  }

  private enum Erased: Way {
    static func bump(_ store: Store<Elements>) async {
      let action: any Action<Elements> = Bump()
      _ = try? await store.dispatch(action)
    }
  }

  @concurrent
  private static func load<W: Way>(_ store: Store<Elements>, _ count: Int, _: W.Type) async {
    for _ in 0..<count { await W.bump(store) }
  }

  /// The baseline is the same call on a state of ten elements.
  private static func scenario<W: Way>(_ name: String, _ size: Int, _: W.Type) -> Scenario {
    Scenario(name: name) { context in
      let count = context.scaled(40_000)
      let rounds = context.options.isQuick ? 3 : 5
      let small = Store(Elements(numbers: Array(repeating: 0, count: 10)))
      let large = Store(Elements(numbers: Array(repeating: 0, count: size)), name: name)
      context.watch { "\(large.diagnostics)" }
      let figures = await compare(rounds: rounds, operations: count) {
        await load(small, count, W.self)
        context.beat()
      } subject: {
        await load(large, count, W.self)
        context.beat()
      }
      return Row(
        name: name, operations: count * rounds, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio,
        violations: context.expect("\(name), changes", await large.state.numbers[3], count * rounds)
          + context.expect("\(name), cost grows with the state (P16)", figures.ratio.median > 3, false))
    }
  }
}
