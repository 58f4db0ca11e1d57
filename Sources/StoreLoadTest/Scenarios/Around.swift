import ActorStore

/// The cost of following what happens around a mutation.
enum Around {
  static let scenario = Scenario(
    name: "around", summary: "mutations in a store whose actions are followed", sizes: [.dispatches]
  ) { options in
    [
      added("added by didEnd", limit: .ratio(1.2), Listener()), added("added by didEnd with timing", TimedListener()),
      logger, added("added by metrics", limit: .ratio(6), StoreMetrics().makeGuard()), transitions,
      sharedMetrics(stores: options.isQuick ? 10_000 : 100_000), watchdog,
      sweep(stores: options.isQuick ? 10_000 : 100_000),
    ] + middleware
  }

  /// A report guard that does nothing.
  private struct Listener: ReportGuard {
    typealias State = Counter
  }

  private struct TimedListener: ReportGuard {
    typealias State = Counter
    var reportClock: (any Clock<Duration>)? { ContinuousClock() }
  }

  private static func added(_ name: String, limit: Limit? = nil, _ guarding: any ReportGuard<Counter>) -> Case {
    Case(name: name, limit: limit) { bench in
      await added(bench, to: Store(Counter(), guards: [guarding], name: name))
    }
  }

  @concurrent
  private static func mutations(_ store: Store<Counter>, _ count: Int) async {
    for step in 0..<count {
      await store.dispatch(Increment(task: 0))
      _ = work(step, 1)
    }
  }

  /// Compares the time that a follower adds to a mutation with a call of a bare actor.
  ///
  /// Each round subtracts the time of a store without followers.
  ///
  /// - Parameter check: Checks what the follower saw, given the number of commits.
  static func added(
    _ bench: Bench,
    to followed: Store<Counter>,
    check: @Sendable (_ commits: Int) async -> Void = { _ in }
  ) async -> Figures {
    let (bare, plain, commits) = (BareCounter(), Store(Counter()), Tally())
    bench.watch { "\(followed.diagnostics)" }
    let figures = await bench.compare(to: BareCounter.name) { count in
      await nanoseconds { await bareCalls(bare, count) }
    } subject: { count in
      commits.add(count)
      let without = await nanoseconds { await mutations(plain, count) }
      return await nanoseconds { await mutations(followed, count) } - without
    }
    bench.expect("count", await followed.state.count, commits.total)
    await check(commits.total)
    return figures
  }

  /// A logger whose sink makes the text of each record and drops it.
  private static let logger = Case(name: "added by a logger", limit: .ratio(1_000)) { bench in
    let (records, bytes) = (Tally(), Tally())
    let sink = LogSink { record in
      records.add(1)
      bytes.add(record.text(.line).utf8.count)
    }
    return await added(bench, to: Store(Counter(), guards: [ActionLogger(to: sink)], name: "logger")) { commits in
      bench.expect("records", records.total, commits)
    }
  }

  /// One stream that keeps the newest transition and is not read.
  private static let transitions = Case(name: "added by transitions") { bench in
    let store = Store(Counter(), name: "transitions")
    let transitions = store.transitions(bufferingPolicy: .bufferingNewest(1))
    return await added(bench, to: store) { commits in
      store.close()
      let newest = await transitions.reduce(into: []) { $0.append($1) }
      bench.expect("revisions", newest.map(\.revision), [UInt64(commits)])
      bench.expect("old and new count", newest.map { [$0.old?.count, $0.new.count] }, [[commits - 1, commits]])
    }
  }
}
