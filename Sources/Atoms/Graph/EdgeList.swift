/// An edge that an `EdgeList` can contain.
protocol GraphEdge: Hashable, Sendable {
  /// An edge that marks an empty list.
  static var vacant: Self { get }
}

/// A node that another node read, and the version it read.
struct Dependency: GraphEdge {
  /// The node that was read, or `NodeID.none` if that node is gone.
  var node: NodeID
  /// The index of the opposite edge among the dependents of `node`.
  var place: Int32
  var version: Version

  static let vacant = Dependency(node: .none, place: -1, version: 0)
  /// An edge that counts as different, so that the closure runs again.
  static let different = Dependency(node: .none, place: 0, version: 0)
}

/// A node that read another node.
struct Dependent: GraphEdge {
  let node: NodeID
  /// The index of the opposite edge among the dependencies of `node`.
  let index: Int32

  static let vacant = Dependent(node: .none, index: -1)
}

/// An array of edges that stores the first one inline, because most nodes have at most one.
struct EdgeList<Edge: GraphEdge>: Hashable, Sendable {
  private var first = Edge.vacant
  private var rest: ContiguousArray<Edge> = []

  var isEmpty: Bool { first == .vacant }
  var count: Int { isEmpty ? 0 : rest.count + 1 }
  var indices: Range<Int> { 0..<count }

  // A `_modify` accessor would allocate memory for its coroutine.
  subscript(index: Int) -> Edge {
    get { index == 0 ? first : rest[index - 1] }
    set {
      if index == 0 { first = newValue } else { rest[index - 1] = newValue }
    }
  }

  mutating func append(_ edge: Edge) {
    if isEmpty { first = edge } else { rest.append(edge) }
  }

  mutating func removeLast() -> Edge {
    if let last = rest.popLast() {
      if rest.isEmpty { rest = [] }
      return last
    }
    let last = first
    first = .vacant
    return last
  }

  mutating func removeAll() {
    first = .vacant
    if !rest.isEmpty { rest = [] }
  }

  mutating func reserveCapacity(_ count: Int) {
    if count > 1 { rest.reserveCapacity(count - 1) }
  }
}
