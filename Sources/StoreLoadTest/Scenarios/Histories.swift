import ActorStore
import ActorStoreHistory

/// The cost of recording commits, and of moves in time.
enum Histories {
  static let scenario = Scenario(
    name: "history", summary: "mutations that a history records, and moves in time", sizes: [.dispatches]
  ) { _ in
    [
      recorded("recorded mutation", elements: 1),
      recorded("recorded mutation of 100000 elements", elements: 100_000), undo,
    ]
  }

  private struct Table: Sendable {
    var count = 0
    var elements: [Int]
  }

  private static func makeStore(_ elements: Int, _ guards: [any Guard<Table>] = []) -> Store<Table> {
    Store(Table(elements: Array(repeating: 0, count: elements)), guards: guards, name: "history")
  }

  private static func mutations(_ store: Store<Table>, _ count: Int) async -> Double {
    await nanoseconds {
      for number in 0..<count {
        await store.dispatch { table in
          table.count += 1
          table.elements[number % table.elements.count] += 1
        }
      }
    }
  }

  /// Compares mutations that a history records with calls of a bare actor.
  ///
  /// A recorded mutation of a large array copies the array, because the history keeps the former state.
  private static func recorded(_ name: String, elements: Int) -> Case {
    Case(name: name, weight: 0.4) { bench in
      let history = History<Table>(maxCount: 100)
      let store = makeStore(elements, [history])
      let actor = BareCounter()
      bench.watch { "\(store.diagnostics)" }
      let figures = await bench.compare(to: "a bare actor") { count in
        await nanoseconds { await bareCalls(actor, count) }
      } subject: { count in
        await mutations(store, count)
      }
      bench.expect("recorded commits", UInt64(await store.state.count), store.diagnostics.revision)
      bench.expect("entries", history.timeline.entries.count, min(100, Int(store.diagnostics.revision) + 1))
      return figures
    }
  }

  /// Compares alternating undos and redos with mutations.
  private static let undo = Case(name: "undo", weight: 0.3) { bench in
    let history = History<Table>()
    let (store, plain) = (makeStore(1, [history]), makeStore(1))
    await store.dispatch { $0.count += 1 }
    let figures = await bench.compare(to: "a mutation") { count in
      await mutations(plain, count)
    } subject: { count in
      await nanoseconds {
        for _ in 0..<count / 2 {
          await store.dispatch(history.undo())
          await store.dispatch(history.redo())
        }
      }
    }
    bench.expect("count", await store.state.count, 1)
    return figures
  }
}
