import ActorStore

/// Sent actions, which are applied in the order of the calls (P2).
///
/// In one case, they wait for a slow action.
enum Sending {
  static let scenario = Scenario(
    name: "send", summary: "sent mutations and actions, timed until the last one is applied", sizes: [.dispatches]
  ) { _ in
    [
      Case(name: "mutation", weight: 1.5, run: mutations), Case(name: "action", weight: 1.5, run: actions),
      Case(name: "behind a slow action", weight: 0.6, run: queued),
    ]
  }

  private struct Journal: Sendable {
    var last = 0
    var disorder = 0

    mutating func enter(_ entry: Int) {
      if entry != last + 1 { disorder += 1 }
      last = entry
    }
  }

  private struct Enter: Mutation {
    let entry: Int

    func run(_ journal: inout Journal) { journal.enter(entry) }
  }

  private struct EnterSlowly: Action {
    let entry: Int

    func run(_ journal: inout Journal) async { journal.enter(entry) }
  }

  /// A store and the numbers of its entries, which continue through all rounds.
  private struct Sender: Sendable {
    let store: Store<Journal>
    private let entries = Tally()

    init(_ name: String, _ bench: Bench) {
      store = Store(Journal(), name: name)
      bench.watch { [store] in "\(store.diagnostics)" }
    }

    /// Returns the next `count` numbers.
    func next(_ count: Int) -> Range<Int> {
      let first = entries.total + 1
      entries.add(count)
      return first..<first + count
    }

    func check(_ bench: Bench) async {
      bench.expect("last entry", await store.state.last, entries.total)
      bench.expect("out of order (P2)", await store.state.disorder, 0)
    }
  }

  @Sendable private static func mutations(_ bench: Bench) async -> Figures {
    let sender = Sender("mutation", bench)
    let bare = BareCounter()
    let figures = await bench.compare(to: BareCounter.name, atMost: 1_000_000) { count in
      await nanoseconds { await bareCalls(bare, count) }
    } subject: { count in
      let (store, entries) = (sender.store, sender.next(count))
      return await nanoseconds {
        for entry in entries {
          store.send(Enter(entry: entry))
          _ = work(entry, 1)
        }
        await store.dispatch { _ in }
      }
    }
    await sender.check(bench)
    return figures
  }

  @Sendable private static func actions(_ bench: Bench) async -> Figures {
    let sender = Sender("action", bench)
    let bare = BareCounter()
    // Sent actions use memory until they are applied, so the size of a round is limited.
    let figures = await bench.compare(to: "a Task for each bare call", atMost: 20_000) { count in
      await nanoseconds {
        let tasks = (0..<count).map { step in Task { await bare.increment(by: step) } }
        for task in tasks { _ = await task.value }
      }
    } subject: { count in
      let (store, entries) = (sender.store, sender.next(count))
      return await nanoseconds {
        for entry in entries { store.send(EnterSlowly(entry: entry)) }
        await store.dispatch { _ in }
      }
    }
    await sender.check(bench)
    return figures
  }

  @Sendable private static func queued(_ bench: Bench) async -> Figures {
    let sender = Sender("behind a slow action", bench)
    let figures = await bench.time(atMost: 20_000) { count in
      let (gate, open) = AsyncStream<Void>.makeStream()
      sender.store.send { _ async in for await _ in gate {} }
      let (store, entries) = (sender.store, sender.next(count))
      return await nanoseconds {
        for entry in entries {
          if entry % 2 == 0 { store.send(Enter(entry: entry)) } else { store.send(EnterSlowly(entry: entry)) }
        }
        open.finish()
        await store.dispatch { _ in }
      }
    }
    await sender.check(bench)
    return figures
  }
}
