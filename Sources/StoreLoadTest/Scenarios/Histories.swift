import ActorStore
import ActorStoreHistory
import Foundation

/// The cost of recording commits, of moves in time, and of files.
enum Histories {
  static let scenario = Scenario(
    name: "history", summary: "mutations that a history records, moves in time, and files", sizes: [.dispatches]
  ) { _ in
    [
      recorded("recorded mutation", limit: .ratio(35), Small(), \.count) { $0.count += 1 },
      recorded("recorded mutation of 100000 elements", Table(elements: 100_000), \.count) { $0.change() },
      undo, undoAmongMany, exported, imported,
    ]
  }

  private struct Small: Sendable {
    var count = 0
  }

  private struct Table: Codable, Sendable {
    var count = 0
    var elements: [Int]

    init(elements count: Int) { elements = Array(repeating: 0, count: count) }

    mutating func change() {
      elements[count % elements.count] += 1
      count += 1
    }
  }

  private static func mutations<State>(
    _ store: Store<State>, _ count: Int, _ change: @escaping @Sendable (inout State) -> Void
  ) async -> Double {
    await nanoseconds { for _ in 0..<count { await store.dispatch { change(&$0) } } }
  }

  /// Compares mutations that a history records with calls of a bare actor.
  ///
  /// A recorded mutation of a large array copies the array, because the history keeps the former state.
  private static func recorded<State: Sendable>(
    _ name: String, limit: Limit? = nil, _ state: State, _ counter: any KeyPath<State, Int> & Sendable,
    _ change: @escaping @Sendable (inout State) -> Void
  ) -> Case {
    Case(name: name, weight: 0.4, limit: limit) { bench in
      let history = History<State>(maxCount: 100)
      let store = Store(state, guards: [history], name: "history")
      let actor = BareCounter()
      bench.watch { "\(store.diagnostics)" }
      let figures = await bench.compare(to: "a bare actor") { count in
        await nanoseconds { await bareCalls(actor, count) }
      } subject: { count in
        await mutations(store, count, change)
      }
      bench.expect("recorded commits", UInt64(await store.state[keyPath: counter]), store.diagnostics.revision)
      bench.expect("entries", history.timeline.entries.count, min(100, Int(store.diagnostics.revision) + 1))
      return figures
    }
  }

  /// Compares undos, redos, and jumps to missing entries in a long history with those in a short one.
  private static let undoAmongMany = Case(name: "undo among 100000 entries", weight: 0.5, limit: .ratio(5)) { bench in
    let (few, many) = (await filled(1_000), await filled(100_000))
    let figures = await bench.compare(to: "among 1000 entries", atMost: 10_000) { count in
      await nanoseconds { await move(few, count) }
    } subject: { count in
      await nanoseconds { await move(many, count) }
    }
    bench.expect("entries", many.history.timeline.entries.count, 100_000)
    return figures
  }

  private static func filled(_ count: Int) async -> (store: Store<Small>, history: History<Small>) {
    let history = History<Small>(maxCount: count)
    let store = Store(Small(), guards: [history], name: "history")
    _ = await mutations(store, count) { $0.count += 1 }
    return (store, history)
  }

  private static func move(_ subject: (store: Store<Small>, history: History<Small>), _ count: Int) async {
    for _ in 0..<count / 3 {
      await subject.store.dispatch(subject.history.undo())
      _ = try? await subject.store.dispatch(subject.history.jump(to: .max))
      await subject.store.dispatch(subject.history.redo())
    }
  }

  /// Compares alternating undos and redos with mutations.
  private static let undo = Case(name: "undo", weight: 0.3) { bench in
    let history = History<Small>()
    let (store, plain) = (Store(Small(), guards: [history], name: "history"), Store(Small()))
    await store.dispatch { $0.count += 1 }
    let figures = await bench.compare(to: "a mutation") { count in
      await mutations(plain, count) { $0.count += 1 }
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

  // MARK: Files

  /// Compares exporting a megabyte with encoding the same states as JSON.
  private static let exported = Case(name: "export of 1 MB", weight: 0.4) { bench in
    guard let (timeline, data) = await makeFile(bench) else { return Figures() }
    let states = timeline.entries.map(\.state)
    return await bench.compare(to: "JSONEncoder") { count in
      await nanoseconds { for _ in 0..<count { for state in states { _ = try? JSONEncoder().encode(state) } } }
    } subject: { count in
      await nanoseconds {
        for _ in 0..<count { bench.expect("bytes", (try? await timeline.exported())?.count, data.count) }
      }
    }
  }

  /// Compares importing a megabyte with decoding the same states from JSON.
  private static let imported = Case(name: "import of 1 MB", weight: 0.4) { bench in
    guard let (timeline, data) = await makeFile(bench) else { return Figures() }
    let states = timeline.entries.compactMap { try? JSONEncoder().encode($0.state) }
    return await bench.compare(to: "JSONDecoder") { count in
      await nanoseconds {
        for _ in 0..<count { for state in states { _ = try? JSONDecoder().decode(Table.self, from: state) } }
      }
    } subject: { count in
      await nanoseconds {
        for _ in 0..<count {
          let timeline = try? await HistoryTimeline<Table>.imported(from: data)
          bench.expect("entries", timeline?.entries.count, states.count)
        }
      }
    }
  }

  /// Returns a timeline and its exported file of about one megabyte, or `nil` if the export fails.
  private static func makeFile(_ bench: Bench) async -> (HistoryTimeline<Table>, Data)? {
    let history = History<Table>(clock: nil, date: { Date(timeIntervalSince1970: 0) })
    let store = Store(Table(elements: 1_000), guards: [history], name: "history")
    for _ in 0..<470 { await store.dispatch(label: "change") { $0.change() } }
    let (timeline, data) = (history.timeline, try? await history.timeline.exported())
    bench.expect("a file of about one megabyte", (990_000..<1_010_000).contains(data?.count ?? 0), true)
    return data.map { (timeline, $0) }
  }
}
