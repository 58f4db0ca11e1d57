import ActorStore
import Observation
import Synchronization

/// Follows the observable objects that derivations read.
enum ObjectFollower {
  private static let hasObjects = Atomic(false)

  /// Whether there has been an atom with an observable object.
  @inline(__always)  // HP13
  static var isNeeded: Bool { hasObjects.load(ordering: .relaxed) }

  /// Notes that there is an atom with an observable object.
  static func need() { hasObjects.store(true, ordering: .relaxed) }

  /// Runs a derivation, and runs it again when an object that it has read changes.
  static func follow(_ node: NodeID, in graph: Graph, _ body: () -> Void) {
    var mustLookAgain: ObjectLooks.Look?
    // If the derivation reads objects, this function makes the closure that they hold until their next change.
    func makeHandler() -> @Sendable () -> Void {
      let next = graph.state.withLockBackingOff { state -> (look: ObjectLooks.Look, mustLookAgain: Bool)? in
        state.logic[node].isRemoved ? nil : state.looks.begin(node, state.newRun())
      }
      guard let next else { return {} }
      if next.mustLookAgain { mustLookAgain = next.look }
      return { [graph = graph.reference] in objectWillChange(node, next.look, in: graph) }
    }
    withObservationTracking(body, onChange: makeHandler())
    guard let look = mustLookAgain else { return }
    soon(in: graph.reference) { graph in
      graph.runAgain(node) { $0.logic.has(.lookOnce) ? false : $0.looks.lookAgain(look) }
    }
  }

  /// Runs a derivation soon, because an object that it has read is about to change.
  private static func objectWillChange(_ node: NodeID, _ look: ObjectLooks.Look, in graph: GraphReference) {
    var isNewest = false
    graph.withGraph { graph in
      // A derivation that changes an object it has read would run forever.
      if Evaluation.around(graph)?.logic.isDeriving == true { return }
      isNewest = graph.state.withLockBackingOff { $0.looks.end(look) }
      // Now, so that this thread does not read the former value after the change.
      if isNewest, CurrentThread.isPlain { graph.runAgain(node, mustDeliver: false) { $0.looks.follow(look) } }
    }
    if isNewest { soon(in: graph) { $0.runAgain(node) { $0.looks.follow(look) } } }
  }

  /// Calls a closure soon, outside the code of the object.
  private static func soon(in graph: GraphReference, _ body: @escaping @Sendable (Graph) -> Void) {
    _ = Evaluation.setAside {
      Task.inheritingExecutor { _ = graph.withGraph(body) }
    }
  }
}

extension Graph {
  /// Makes the value of a derivation invalid, so that it runs again when the value is needed.
  ///
  /// - Parameters:
  ///   - node: The node of the derivation.
  ///   - mustDeliver: Whether watchers follow now.
  ///   - condition: A closure that returns whether to do so. It runs under the lock.
  fileprivate func runAgain(_ node: NodeID, mustDeliver: Bool = true, _ condition: (inout GraphState) -> Bool) {
    var (unused, mustDeliver) = state.withLockBackingOff { state -> (Unused, Bool) in
      if !condition(&state) || state.logic[node].isRemoved { return (Unused(), false) }
      state.logic.advance()
      _ = state.logic.replaceFormula(of: node, old: nil)
      publishRevision(&state)
      return (releaseUnused(&state), mustDeliver && startDelivering(&state))
    }
    unused.release()
    if mustDeliver { deliver() }
  }
}
