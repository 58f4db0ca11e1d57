import ActorStore
import ActorStoreEvents

/// Events for one element among many, and finding a state in a tree.
enum Events {
  static let scenario = Scenario(
    name: "events", summary: "events for one element of a large collection, and selection in a deep tree",
    sizes: [.dispatches]
  ) { _ in
    [10, 1_000, 10_000].map(element) + [1, 3, 6].map(selection)
  }

  // MARK: One element

  private struct Row: EventDriven, Identifiable {
    var id = 0
    var count = 0

    mutating func react(to event: Int) { count &+= event }
  }

  private struct Table: EventDriven {
    struct Event: Sendable {
      let id: Int
      let amount: Int
    }

    static let row = Forwarding(to: \Table.rows) { .one($0.id, $0.amount) }

    var rows: IdentifiedArray<Row> = []

    mutating func react(to event: Event) { Self.row.forward(event, to: &self) }
  }

  private static func table(_ count: Int) -> Store<Table> {
    Store(Table(rows: IdentifiedArray(uniqueElements: (0..<count).map { Row(id: $0) })), name: "table")
  }

  private static func element(of count: Int) -> Case {
    let limit = count == 10 ? nil : Limit.ratio(1.2)
    return Case(name: "1 of \(count)", weight: 0.3, limit: limit) { bench in
      let (few, many) = (table(10), table(count))
      bench.watch { "\(many.diagnostics)" }
      let figures = await bench.compare(to: "1 of 10") { operations in
        await emit(operations, to: few, among: 10)
      } subject: { operations in
        await emit(operations, to: many, among: count)
      }
      let total = await many.state.rows.reduce(0) { $0 + $1.count }
      bench.expect("events", UInt64(total), many.diagnostics.revision)
      return figures
    }
  }

  /// The nanoseconds for emitting events to one element after another.
  ///
  /// The elements are close to each other, so the time does not depend on the size of the processor's caches.
  private static func emit(_ operations: Int, to store: Store<Table>, among count: Int) async -> Double {
    await nanoseconds {
      for number in 0..<operations {
        await store.dispatch(Table.Event(id: count / 2 + number & 3, amount: 1))
      }
    }
  }

  // MARK: Selection

  private struct Node: ChildState, Identifiable {
    static let parents: [ParentPath<Node>] = [.element(of: \Node.children)]

    var id = 0
    var children: IdentifiedArray<Node> = []
  }

  private static func tree(depth: Int) -> Node {
    Node(id: depth, children: depth == 0 ? [] : IdentifiedArray(uniqueElements: [tree(depth: depth - 1)]))
  }

  /// Finds a state at a depth by its type and keys, compared with looking it up by hand.
  private static func selection(depth: Int) -> Case {
    Case(name: "selection at depth \(depth)", weight: 0.3) { bench in
      let root = tree(depth: depth)
      let keys = (0..<depth).reversed().map { $0 }
      return await bench.compare(to: "a lookup by hand") { operations in
        await nanoseconds {
          for _ in 0..<operations {
            var node = root
            for key in keys { node = node.children[id: key]! }
            bench.expect("node", node.id, 0)
          }
        }
      } subject: { operations in
        await nanoseconds {
          for _ in 0..<operations {
            let node = find(in: root, keys)
            bench.expect("node", node?.id, 0)
          }
        }
      }
    }
  }

  private static func find(in root: Node, _ keys: [Int]) -> Node? {
    switch keys.count {
    case 1: try? select(Node.self, from: root, keys[0])
    case 3: try? select(Node.self, from: root, keys[0], keys[1], keys[2])
    default: try? select(Node.self, from: root, keys[0], keys[1], keys[2], keys[3], keys[4], keys[5])
    }
  }
}
