import ActorStore

/// Child tasks of one action that all wait for another store (P8).
///
/// Each child's wait is a wait across stores.
enum Children {
  static let scenario = Scenario(
    name: "children", summary: "100000 child tasks of one action that all wait for another store (about half a minute)",
    isOptional: true
  ) { _ in cases(100_000, beside: 1_000) }

  /// The same cases for the `nested` scenario, with fewer children, so that they take about as long as its other cases.
  static let few = cases(2_000, beside: 200)

  private static func cases(_ many: Int, beside few: Int) -> [Case] {
    [
      growth("\(many) children of one action", many, few, levels: 1),
      growth("\(many) children on each of two levels", many, few, levels: 2),
      growth("\(many) tasks outside actions", many, few, levels: 0, weight: 0.3),
      Beside.parked(many), Beside.busy,
    ]
  }

  /// Compares the time per child, from its start to its commit, among many children and among few.
  private static func growth(_ name: String, _ many: Int, _ few: Int, levels: Int, weight: Double = 0.6) -> Case {
    Case(name: name, weight: weight, limit: .ratio(4)) { bench in
      await bench.compare(to: "\(few)", atLeast: many, atMost: many) { count in
        var elapsed = 0.0
        for _ in 0..<count / few { elapsed += await children(few, levels, bench) }
        return elapsed
      } subject: { count in
        await children(count, levels, bench)
      }
    }
  }

  /// Makes the children of an action wait for a busy store, and returns the nanoseconds for one level.
  ///
  /// With two levels, as many children of another action wait for the first action's store. With zero levels, tasks
  /// outside actions wait.
  private static func children(_ count: Int, _ levels: Int, _ bench: Bench) async -> Double {
    let stores = ["outer", "middle", "inner"].suffix(max(2, levels + 1)).map { Store(Counter(), name: $0) }
    bench.watch { stores.map { "\($0.diagnostics.withoutRevision)" }.joined(separator: "\n") }
    let (gate, open) = AsyncStream<Void>.makeStream()
    let last = stores[stores.count - 1]
    let elapsed = await nanoseconds {
      last.send(label: "blocking action") { _ async in for await _ in gate {} }
      await withTaskGroup { group in
        if levels == 0 { group.addTask { await wait(count, for: last) } }
        for index in stores.indices.dropLast().reversed() where levels > 0 {
          group.addTask { await stores[index].dispatch { _ async in await wait(count, for: stores[index + 1]) } }
          // The blocking action, or the action of the previous iteration, keeps the next store busy.
          while stores[index + 1].queueLength < count {
            for _ in 0..<1_000 { await Task.yield() }
            bench.beat()
          }
        }
        while last.queueLength < count { for _ in 0..<1_000 { await Task.yield() } }
        open.finish()
      }
    }
    for store in stores.suffix(max(1, levels)) { bench.expect("commits", await store.state.count, count) }
    bench.beat()
    return elapsed / Double(max(1, levels))
  }

  fileprivate nonisolated(nonsending) static func wait(_ count: Int, for store: Store<Counter>) async {
    await withTaskGroup { group in
      for child in 0..<count { group.addTask { await store.dispatch(Increment(task: child)) } }
    }
  }
}

/// A pair of stores whose waits are unrelated to thousands of other waits.
private enum Beside {
  /// Times a wait across two stores while many other calls wait and nothing else runs.
  static func parked(_ many: Int) -> Case {
    Case(name: "an unrelated pair while \(many) children wait", weight: 0.5, limit: .ratio(3)) { bench in
      await bench.compare(to: "the pair alone", atLeast: min(many, 5_000), atMost: 20_000) { count in
        await waits(count)
      } subject: { count in
        let (outer, inner) = (Store(Counter(), name: "outer"), Store(Counter(), name: "inner"))
        let (gate, open) = AsyncStream<Void>.makeStream()
        inner.send(label: "blocking action") { _ async in for await _ in gate {} }
        async let others = outer.dispatch { _ async in await Children.wait(many, for: inner) }
        while inner.queueLength < many { for _ in 0..<1_000 { await Task.yield() } }
        bench.beat()
        let elapsed = await waits(count)
        open.finish()
        _ = await others
        bench.beat()
        return elapsed
      }
    }
  }

  /// Times a wait across two stores while another thread repeatedly begins and ends a thousand other waits.
  ///
  /// In the baseline, as many tasks on the other thread wait for a store, but outside actions. So both times include
  /// the cost of sharing cores and memory with a busy thread.
  static let busy = Case(name: "an unrelated pair next to 1000 children", weight: 0.8) { bench in
    let (pair, others) = (OwnThread(), OwnThread())
    let figures = await bench.compare(to: "the pair next to 1000 tasks", atMost: 20_000) { count in
      await waits(count, on: pair, beside: others, nested: false, bench)
    } subject: { count in
      await waits(count, on: pair, beside: others, nested: true, bench)
    }
    for thread in [pair, others] { thread.end() }
    return figures
  }

  private static func waits(
    _ count: Int,
    on thread: OwnThread,
    beside others: OwnThread,
    nested: Bool,
    _ bench: Bench
  ) async -> Double {
    let isOver = Tally()
    async let rage: Void = rage(on: others, nested: nested, until: isOver, bench)
    let elapsed = await withTaskExecutorPreference(thread) { await waits(count) }
    isOver.add(1)
    await rage
    return elapsed
  }

  /// Times `count` waits of an outer store's action for an inner store that is usually busy.
  private static func waits(_ count: Int) async -> Double {
    let (outer, inner) = (Store(Counter(), name: "outer"), Store(Counter(), name: "inner"))
    return await nanoseconds {
      for _ in 0..<count {
        async let holding = inner.dispatch(IncrementSlowly(task: 0))
        async let waiting = outer.dispatch { _ async in await inner.dispatch(Increment(task: 0)).isCommitted }
        _ = await (holding, waiting)
      }
    }
  }

  private static func rage(on thread: OwnThread, nested: Bool, until isOver: Tally, _ bench: Bench) async {
    await withTaskExecutorPreference(thread) {
      let (outer, inner) = (Store(Counter()), Store(Counter()))
      while isOver.total == 0 {
        async let holding = inner.dispatch(IncrementSlowly(task: 0))
        if nested {
          await outer.dispatch { _ async in await Children.wait(1_000, for: inner) }
        } else {
          await Children.wait(1_000, for: inner)
        }
        _ = await holding
        bench.beat()
      }
    }
  }
}
