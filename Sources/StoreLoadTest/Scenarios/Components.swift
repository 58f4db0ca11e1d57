import ActorStore
import ActorStoreEvents

/// Components that render one row each.
enum Components {
  static let scenario = Scenario(
    name: "components", summary: "commits that change one of many rows, each with a component", sizes: [.dispatches]
  ) { _ in
    [row(of: 1_000)]
  }

  private struct Row: Identifiable, Equatable {
    let comparisons: Tally
    var id = 0
    var count = 0

    static func == (one: Row, other: Row) -> Bool {
      one.comparisons.add(1)
      return one.id == other.id && one.count == other.count
    }
  }

  private struct Table: Sendable {
    static let row = Selection.family { (id: Int) in Selection<Table, Row?> { table in table.rows[id: id] } }

    var rows: IdentifiedArray<Row>
  }

  private final class RowView: Component {
    var props: Row
    var connection: Connection?
    private let renders: Tally

    init(_ renders: Tally, _ comparisons: Tally) {
      self.renders = renders
      props = Row(comparisons: comparisons)
    }

    func render() { renders.add(1) }
  }

  /// The actor of the components, like the main actor of an app.
  private actor Screen {
    private var views: [RowView] = []

    /// Renders each row, with a component or by a closure.
    func show(_ store: Store<Table>, _ count: Int, _ renders: Tally, _ comparisons: Tally, byClosure: Bool) {
      for id in 0..<count {
        let (view, row) = (RowView(renders, comparisons), store.select(Table.row(id)))
        views.append(view)
        if byClosure {
          row.observe(view, bufferingPolicy: .bufferingNewest(1)) { view, row in
            if let row { view.props = row }
            view.render()
          }
        } else {
          row.connect(view)
        }
      }
    }
  }

  private static func row(of count: Int) -> Case {
    // The aim is 1.0. Two measurements of the same code differ by a few percent.
    Case(name: "1 of \(count) rows", limit: .ratio(1.25)) { bench in
      let (closures, components) = (await Rows(count, byClosure: true), await Rows(count, byClosure: false))
      bench.watch { "\(components.store.diagnostics)" }
      return await bench.compare(to: "\(count) closures") { operations in
        await closures.change(operations, bench)
      } subject: { operations in
        await components.change(operations, bench)
      }
    }
  }

  private struct Rows {
    let store: Store<Table>
    private let count: Int
    private let screen = Screen()
    private let renders = Tally()
    private let comparisons = Tally()

    init(_ count: Int, byClosure: Bool) async {
      let comparisons = comparisons
      self.count = count
      store = Store(
        Table(rows: IdentifiedArray(uniqueElements: (0..<count).map { Row(comparisons: comparisons, id: $0) })))
      await screen.show(store, count, renders, comparisons, byClosure: byClosure)
      while renders.total < count { await Task.yield() }
    }

    /// The nanoseconds for commits that change one row each, including the rendering of the row's view.
    func change(_ operations: Int, _ bench: Bench) async -> Double {
      let (rendered, compared, offered) = (renders.total, comparisons.total, self.offered)
      let elapsed = await nanoseconds {
        for number in 0..<operations {
          await store.dispatch { $0.rows.update(id: number % count) { $0.count += 1 } }
          while renders.total <= rendered + number { await Task.yield() }
        }
      }
      bench.expect("renders", renders.total - rendered, operations)
      // The changed row is also compared with itself, because a value such as NaN is not equal to itself.
      bench.expect("comparisons", comparisons.total - compared, operations * (count + 1))
      bench.expect("wake-ups", self.offered - offered, UInt64(operations))
      return elapsed
    }

    /// The number of values that the store has given to its subscribers.
    private var offered: UInt64 { store.diagnostics.subscribers.reduce(0) { $0 + UInt64($1.offered) } }
  }
}
