import ActorStore

/// The cost of changing one element, which does not depend on the size of the state (P16) or the age of the store.
enum Growth {
  static let scenario = Scenario(
    name: "growth", summary: "a change of one element, in states of 10 to 1000000 elements and in an old store",
    sizes: [.dispatches]
  ) { options in
    [10, 1_000, 100_000, 1_000_000].map { `case`("\($0) elements", $0, { await mutations($0, $1) }) } + [
      `case`("closure, 100000 elements", 100_000, { await closures($0, $1) }),
      `case`("generic, 100000 elements", 100_000, { await generically($0, $1) }),
      `case`("any Action, 100000 elements", 100_000, { await anyActions($0, $1) }),
      old(after: options.dispatches ?? (options.isQuick ? 1_000_000 : 10_000_000)),
      observations(options.isQuick ? 2_000 : 10_000),
    ]
  }

  struct Elements: Sendable {
    var numbers: [Int]
  }

  struct Bump: Mutation {
    func run(_ elements: inout Elements) { elements.numbers[3] &+= 1 }
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

  /// Compares dispatches to a store that has had many dispatches with dispatches to a new store.
  private static func old(after many: Int) -> Case {
    Case(name: "\(many) dispatches later", weight: 1, limit: .ratio(3)) { bench in
      let few = 10_000
      let store = Store(Elements(numbers: Array(repeating: 0, count: 10)), name: "old")
      bench.watch { "\(store.diagnostics)" }
      for done in stride(from: 0, to: many, by: few) {
        await mutations(store, min(few, many - done))
        bench.beat()
      }
      let later = Tally()
      let figures = await bench.compare(to: "a new store", atMost: few) { count in
        let new = Store(Elements(numbers: Array(repeating: 0, count: 10)))
        return await nanoseconds { await mutations(new, count) }
      } subject: { count in
        later.add(count)
        return await nanoseconds { await mutations(store, count) }
      }
      bench.expect("changes", await store.state.numbers[3], many + later.total)
      return figures
    }
  }

  /// Compares the time per observation for one owner of many observations and for owners of 100 observations each.
  private static func observations(_ many: Int) -> Case {
    Case(name: "\(many) observations of one owner", weight: 0.6, limit: .ratio(5)) { bench in
      await bench.compare(to: "100 of one owner", atLeast: many, atMost: many) { count in
        var elapsed = 0.0
        for _ in 0..<count / 100 { elapsed += await observe(100) }
        return elapsed
      } subject: { count in
        await observe(count)
      }
    }
  }

  @MainActor private static func observe(_ count: Int) -> Double {
    final class Owner {}
    let (store, owner) = (Store(Elements(numbers: [])), Owner())
    let start = now()
    for number in 0..<count { store.select().observe(owner, id: number) { _, _ in } }
    store.stopObserving(owner)
    return Double(now() - start)
  }

  /// Compares a call with the same call on a state of ten elements (P16).
  private static func `case`(_ name: String, _ size: Int, _ load: @escaping Load) -> Case {
    // A copy of 100,000 elements takes as long as hundreds of calls. A busy machine can make a round three times as
    // long. Copies of small states can stay within the limit.
    Case(name: name, weight: 0.6, limit: .ratio(30)) { bench in
      let small = Store(Elements(numbers: Array(repeating: 0, count: 10)))
      let large = Store(Elements(numbers: Array(repeating: 0, count: size)), name: name)
      let changes = Tally()
      bench.watch { "\(large.diagnostics)" }
      let figures = await bench.compare(to: "10 elements") { count in
        await nanoseconds { await load(small, count) }
      } subject: { count in
        changes.add(count)
        return await nanoseconds { await load(large, count) }
      }
      bench.expect("changes", await large.state.numbers[3], changes.total)
      return figures
    }
  }
}
