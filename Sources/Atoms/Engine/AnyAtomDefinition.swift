import ActorStore

/// The identity of an atom, and everything about it except its values.
///
/// Two atoms are the same if their definitions are the same object. When the last copy of an atom goes, its definition
/// removes its nodes from all graphs.
public class AnyAtomDefinition: @unchecked Sendable {
  // Invariant: subclasses store constants of sendable types, or release them in deinit.

  private let file: StaticString
  private let line: UInt32
  /// Compares values, if they can be compared on any thread.
  ///
  /// It is never released.
  @safe unowned(unsafe) final let equality: Equality?
  private let state = Locked(State())

  private struct State: Sendable {
    /// The graphs that have a node of this atom.
    ///
    /// There is hardly ever more than one.
    weak var graph: GraphReference?
    /// What most atoms do not have, which is therefore apart.
    var details: Box?
  }

  private final class Box: Sendable {
    let details: Details

    init(_ details: Details) { self.details = details }
  }

  fileprivate struct WeakReference: Sendable {
    weak var graph: GraphReference?
  }

  /// The parts that most atoms do not have.
  struct Details: Sendable {
    fileprivate var moreGraphs: [WeakReference] = []
    var label: String?
    var onUpdate: [UpdateHandler] = []
    /// Closures that replace the value that a reset restores.
    var onReset: [@Sendable (AnyPublished) -> AnyPublished] = []
  }

  /// A closure for the new values of an atom in every graph.
  struct UpdateHandler: Sendable {
    let skip: Int
    let body: @Sendable (AnyPublished) -> Void
  }

  init(_ file: StaticString, _ line: UInt, _ equality: Equality?) {
    self.file = file
    self.line = UInt32(truncatingIfNeeded: line)
    self.equality = equality
  }

  deinit {
    let key = Graph.key(of: self)
    for graph in graphs { graph.remove(key) }
  }

  /// Sets the atom in a graph to a value in memory, and leaves a value to release there.
  func write(in graph: Graph, _ value: UnsafeMutableRawPointer) { unsafe graph.set(self, value) }

  /// Resets the atom in a graph.
  func reset(in graph: Graph) { graph.reset(self) }

  /// The default value, or `nil` if the atom has none.
  var initialValue: AnyPublished? { nil }

  /// Adds a closure that replaces the value that a reset restores.
  func addReset(_ body: @escaping @Sendable (AnyPublished) -> AnyPublished) {
    change { $0.onReset.append(body) }
  }

  /// Creates the memory for the atom's value in a graph.
  func makeCell() -> Cell { preconditionFailure("Atoms: an abstract method was called.") }

  // MARK: Graphs

  var graphs: [Graph] {
    let references = state.withLock { state in
      (state.graph.map { [$0] } ?? []) + (state.details?.details.moreGraphs.compactMap(\.graph) ?? [])
    }
    return references.compactMap { $0.handle?.graph }
  }

  /// Notes that a graph has a node of this atom.
  ///
  /// Called under the graph's lock, once for each graph.
  func join(_ graph: Graph) -> [UpdateHandler] {
    state.withLock { state in
      if state.graph == nil {
        state.graph = graph.reference
      } else {
        var details = state.details?.details ?? Details()
        details.moreGraphs.removeAll { $0.graph == nil }
        details.moreGraphs.append(WeakReference(graph: graph.reference))
        state.details = Box(details)
      }
      return state.details?.details.onUpdate ?? []
    }
  }

  // MARK: Details

  var label: String {
    get { state.withLock { $0.details?.details.label } ?? "\(file):\(line)" }
    set { change { $0.label = newValue } }
  }

  /// The value that a reset restores, or `nil` if the atom has no default value.
  ///
  /// Called under a graph's lock. The caller passes the result to the closures after unlocking.
  var resetSteps: (initial: AnyPublished, bodies: [@Sendable (AnyPublished) -> AnyPublished])? {
    initialValue.map { initial in (initial, onReset) }
  }

  final var onReset: [@Sendable (AnyPublished) -> AnyPublished] { state.withLock { $0.details?.details.onReset ?? [] } }

  /// Adds a closure for updates, and returns the graphs that already have a node of this atom.
  func add(_ handler: UpdateHandler) -> [Graph] {
    change { $0.onUpdate.append(handler) }
    return graphs
  }

  private func change(_ body: (inout Details) -> Void) {
    state.withLock { state in
      var details = state.details?.details ?? Details()
      body(&details)
      state.details = Box(details)
    }
  }
}
