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
        state.beginLook(node)
      }
      guard let next else { return {} }
      if next.mustLookAgain { mustLookAgain = next.look }
      return { [graph = graph.reference] in objectWillChange(node, next.look, in: graph) }
    }
    withObservationTracking(body, onChange: makeHandler())
    guard let look = mustLookAgain else { return }
    soon(in: graph.reference, after: 8) { graph in
      graph.runAgain(node) { state in
        if state.logic.has(.lookOnce) { return false }
        // The node gets one edition now, and another one when that run ends.
        return state.looks.lookAgain(look, edition: state.logic[node].edition &+ 2)
      }
    }
  }

  /// Runs a derivation again soon, because it has run without `follow`.
  static func followFromNow(_ node: NodeID, in graph: Graph) {
    guard let look = graph.state.withLockBackingOff({ $0.beginLook(node)?.look }) else { return }
    soon(in: graph.reference) { graph in graph.runAgain(node) { $0.looks.follow(look) } }
  }

  /// Runs a derivation soon, because an object that it has read is about to change.
  private static func objectWillChange(_ node: NodeID, _ look: ObjectLooks.Look, in graph: GraphReference) {
    var isNewest = false
    graph.withGraph { graph in
      let evaluation = Evaluation.around(graph)
      isNewest = graph.state.withLock { state in
        // A derivation that changes an object it has read would run forever.
        if let evaluation, state.logic.isUsed(node, by: evaluation.logic) { return false }
        return state.looks.end(look)
      }
      // Now, so that this thread does not read the former value after the change.
      if isNewest, CurrentThread.isPlain { graph.runAgain(node, mustDeliver: false) { $0.looks.follow(look) } }
    }
    if isNewest { soon(in: graph) { $0.runAgain(node) { $0.looks.follow(look) } } }
  }

  /// Calls a closure soon, outside the code of the object.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - yields: How often other tasks run before, so that the code of the object can make an announced change.
  ///   - body: The closure.
  private static func soon(
    in graph: GraphReference, after yields: Int = 0, _ body: @escaping @Sendable (Graph) -> Void
  ) {
    _ = Evaluation.setAside {
      Task.inheritingExecutor {
        for _ in 0..<yields { await Task.yield() }
        _ = graph.withGraph(body)
      }
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
    var unused = Unused()
    let mustDeliver = state.withLock { state in
      if !condition(&state) || state.logic[node].isRemoved { return false }
      state.logic.advance()
      state.logic.runAgain(node)
      publishRevision(&state)
      releaseUnused(to: &unused, &state)
      return mustDeliver && startDelivering(&state)
    }
    unused.release()
    if mustDeliver { deliver() }
  }
}

extension GraphState {
  /// Begins a look of a derivation that runs, unless its atom is gone.
  fileprivate mutating func beginLook(_ node: NodeID) -> (look: ObjectLooks.Look, mustLookAgain: Bool)? {
    logic[node].isRemoved ? nil : looks.begin(node, newRun(), edition: logic[node].edition)
  }
}
