import ActorStore
import ActorStoreEvents

/// A list whose rows are rendered one by one.
struct Rows: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    var id = 0
    var text = ""
    var count = 0
  }

  /// The props of a row, which are missing while there is no such row.
  static let row = Selection.family { (id: Int) in Selection<Rows, Row?>(StatePath(\Rows.rows)[key: id]) }

  var rows: IdentifiedArray<Row> = []
  var title = ""

  static func filled(_ count: Int) -> Rows {
    Rows(rows: IdentifiedArray(uniqueElements: (0..<count).map { Row(id: $0) }))
  }
}

/// A component that keeps everything that it has rendered.
final class Cell<Props: Sendable>: Component {
  var props: Props
  var connection: Connection?
  var rendered: [Props] = []
  var missing = 0
  /// Called with each rendering.
  var onRender: (Props) -> Void = { _ in }

  init(_ props: Props) { self.props = props }

  func render() {
    rendered.append(props)
    onRender(props)
  }

  func render(missing last: Props) { missing += 1 }
}

/// An actor that owns a component.
actor Stage<Props: Sendable> {
  let cell: Cell<Props>
  var rendered: [Props] { cell.rendered }
  var missing: Int { cell.missing }

  init(_ props: Props) { cell = Cell(props) }

  func connect<State>(_ selected: Selected<State, Props>, _ strategy: DeliveryStrategy = .immediate) {
    selected.connect(cell, strategy: strategy)
  }

  func connect<State>(_ selected: Selected<State, Props?>, _ strategy: DeliveryStrategy = .immediate) {
    selected.connect(cell, strategy: strategy)
  }

  func disconnect() -> Int {
    cell.connection = nil
    return cell.rendered.count
  }

  func onRender(_ body: @escaping @Sendable (Props) -> Void) { cell.onRender = body }
}

/// A component that is an actor.
actor Terminal: ActorComponent {
  var props = ""
  var connection: Connection?
  var lines: [String] = []
  var missing = 0

  func render() { lines.append(props) }
  func render(missing last: String) { missing += 1 }
}
