/// An edge that an `EdgeList` can contain.
protocol GraphEdge: Hashable, Sendable {
  /// An edge that marks an empty list.
  static var vacant: Self { get }
  var isVacant: Bool { get }
}

/// A node that another node read, and the version it read.
struct Dependency: GraphEdge {
  /// The node that was read, or `NodeID.none` if that node is gone.
  var node: NodeID
  private var bits: UInt32
  var version: Version

  init(node: NodeID, place: Int32, version: Version) {
    self.node = node
    bits = UInt32(bitPattern: place) & ~Self.successBit
    self.version = version
  }

  /// The index of the opposite edge among the dependents of `node`.
  var place: Int32 {
    get { Int32(bitPattern: bits << 1) >> 1 }
    set { bits = bits & Self.successBit | UInt32(bitPattern: newValue) & ~Self.successBit }
  }

  /// Whether the last successful run has read the node.
  var isOfSuccess: Bool {
    get { bits & Self.successBit != 0 }
    set { bits = bits & ~Self.successBit | (newValue ? Self.successBit : 0) }
  }

  private static let successBit: UInt32 = 1 << 31

  static let vacant = Dependency(node: .none, place: -1, version: vacancy)
  @inline(__always)  // HP23
  var isVacant: Bool { version == Self.vacancy }
  /// An edge that counts as different, so that the closure runs again.
  static let different = Dependency(node: .none, place: 0, version: 0)

  // The edges of former reads, and other special edges, have these versions, which no value reaches.
  private static let used = Version.max
  private static let unused = Version.max - 1
  private static let kept = Version.max - 2
  /// Stands for the version that the other node had when code set the value of the node with the edge.
  ///
  /// It is used if the other node was not up to date at that revision, so that its version was unknown.
  static let ofAssignment = Version.max - 3
  private static let vacancy = Version.max - 4

  /// Whether only a former run has read the node, so that the edge does not count.
  ///
  /// The newest run may read the node again, or be canceled. Then the edge counts again.
  @inline(__always)  // HP13
  var isFormer: Bool { version >= Self.kept }

  /// Whether a node in use uses the other node because of the edge.
  ///
  /// A node that comes into use does not use nodes that only its former runs have read.
  var canUse: Bool { version != Self.unused }

  /// Whether a node in use uses the other node only because its last successful run has read it.
  var isKept: Bool { version == Self.kept }

  /// Makes the edge one of a former run.
  mutating func becomeFormer(isUsed: Bool) { version = isUsed ? Self.used : Self.unused }

  /// Makes the edge one that counts only as a use.
  mutating func becomeKept() { version = Self.kept }

  /// Notes that the node with the edge has come out of use.
  mutating func endUse() { if version == Self.used { version = Self.unused } }
}

/// A node that read another node.
struct Dependent: GraphEdge {
  let node: NodeID
  /// The index of the opposite edge among the dependencies of `node`.
  let index: Int32

  static let vacant = Dependent(node: .none, index: -1)
  @inline(__always)  // HP23
  var isVacant: Bool { node == .none }
}

/// An array of edges that stores the first one inline, because most nodes have at most one.
struct EdgeList<Edge: GraphEdge>: Hashable, Sendable {
  private var first = Edge.vacant
  private var rest: ContiguousArray<Edge> = []

  var isEmpty: Bool { first.isVacant }
  var count: Int { isEmpty ? 0 : rest.count + 1 }
  var indices: Range<Int> { 0..<count }

  // A `_modify` accessor would allocate memory for its coroutine.
  subscript(index: Int) -> Edge {
    get { index == 0 ? first : rest[index - 1] }
    set {
      if index == 0 { first = newValue } else { rest[index - 1] = newValue }
    }
  }

  /// The edge at an index, or `nil` after the last edge.
  @inline(__always)  // HP23
  func edge(at index: Int) -> Edge? {
    if index == 0 { return isEmpty ? nil : first }
    return index <= rest.count ? rest[index - 1] : nil
  }

  var last: Edge? { isEmpty ? nil : self[count - 1] }

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

extension EdgeList<Dependency> {
  /// The dependency at an index, or `nil` after the last one that counts.
  ///
  /// Those of former runs do not count. They come last.
  @inline(__always)  // HP23
  func read(at index: Int) -> Dependency? {
    guard let dependency = edge(at: index), !dependency.isFormer else { return nil }
    return dependency
  }
}
