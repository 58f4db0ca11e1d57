/// The selections that another one is computed from.
struct SelectionInputs: Sendable {
  /// The longest permitted chain of selections that are computed from each other.
  ///
  /// A chain is searched and released recursively.
  static let maxDepth = 100

  private(set) var nodes: [any AnySelectionNode] = []
  /// The number of nodes in the longest chain.
  private(set) var depth = 0

  init<State: Sendable, Value: Sendable>(_ node: SelectionNode<State, Value>) { append(node) }

  mutating func append<State: Sendable, Value: Sendable>(_ node: SelectionNode<State, Value>) {
    if node.depth >= Self.maxDepth {
      fatalError(
        """
        ActorStore: a selection is computed from another one, and so on. Such a chain can have at most \
        \(Self.maxDepth) selections. Select the value with one closure instead.
        """)
    }
    nodes.append(node)
    depth = max(depth, node.depth)
  }
}

/// Reads the values of inputs in their order, each as its own type.
struct SelectionInputReader {
  private let values: [AnyPublished]
  private var index = 0

  init(_ values: [AnyPublished]) { self.values = values }

  mutating func next<Value: Sendable>(_ type: Value.Type) -> Value {
    defer { index += 1 }
    return values[index].value(as: type)
  }
}
