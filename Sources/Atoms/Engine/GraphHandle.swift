import ActorStore

/// The owner of a graph.
///
/// Weak references refer to it and not to the graph, because an object with weak references is slower to retain.
final class GraphHandle: Sendable {
  let graph: Graph

  init(_ graph: Graph) {
    self.graph = graph
    graph.reference.handle = self
    graph.state.withLock { $0.addHandle() }
  }

  deinit {
    let unused = graph.state.withLock { $0.removeHandle() }
    withExtendedLifetime(unused) {}
  }

  /// The owner of a graph, or a new one if the last one is gone.
  static func of(_ graph: Graph) -> GraphHandle { graph.reference.handle ?? GraphHandle(graph) }
}

/// A graph that may be gone.
///
/// Releasing it under a lock is safe, unlike releasing a graph, which may release values.
final class GraphReference: @unchecked Sendable {
  // Invariant: the first handle sets itself before any other thread can read it.
  fileprivate(set) weak var handle: GraphHandle?

  private let replacement = Locked(Replacement())

  private struct Replacement: Sendable {
    weak var handle: GraphHandle?
  }

  /// The graph's owner, or the owner of an empty replacement if the graph is gone.
  ///
  /// Only the caller keeps the replacement alive, for one call such as a transaction.
  var handleOrReplacement: GraphHandle {
    if let handle { return handle }
    return replacement.withLock { replacement in
      if let handle = replacement.handle { return handle }
      let new = GraphHandle(Graph(ProblemHandler(ProblemHandler.standard)))
      replacement.handle = new
      return new
    }
  }
}

/// References to graphs, some of which may be gone.
///
/// Each added reference removes up to two others whose graphs are gone. So adding takes constant time, and at most about
/// half of the references are to graphs that are gone.
struct WeakReferences: Sendable {
  private struct Weak: Sendable {
    weak var reference: GraphReference?
  }

  private var all: [Weak] = []
  /// The index of the reference to look at next.
  private var next = 0

  /// The number of references, some of which may be to graphs that are gone.
  var count: Int { all.count }

  /// The references to graphs that exist.
  var living: [GraphReference] { all.compactMap(\.reference) }

  mutating func append(_ reference: GraphReference) {
    for _ in 0..<min(2, all.count) {
      if next >= all.count { next = 0 }
      if all[next].reference != nil {
        next += 1
      } else {
        all.swapAt(next, all.count - 1)
        all.removeLast()
        if all.isEmpty { break }
      }
    }
    all.append(Weak(reference: reference))
  }
}
