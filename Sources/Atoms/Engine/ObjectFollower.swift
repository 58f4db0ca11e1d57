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
    var first: ObjectLooks.Look?
    // If the derivation reads objects, this function makes the closure that they hold until their next change.
    func makeHandler() -> @Sendable () -> Void {
      guard let begun = graph.state.withLockBackingOff({ $0.beginLook(node) }) else { return {} }
      if begun.beginsSeries { first = begun.look }
      return { [graph = graph.reference] in objectWillChange(begun.look, in: graph) }
    }
    withObservationTracking(body, onChange: makeHandler())
    if let first { lookAgain(first, in: graph.reference, afterAnnouncement: false) }
  }

  /// Runs a derivation again soon, because it has run without `follow`.
  static func followFromNow(_ node: NodeID, in graph: Graph) {
    guard let look = graph.state.withLockBackingOff({ $0.beginLook(node)?.look }) else { return }
    start(in: graph.reference) { graph in
      _ = graph.withGraph { graph in graph.runAgain(look.node) { $0.looks.follow(look) } }
    }
  }

  /// Runs a derivation again soon, because an object that it has read is about to change.
  private static func objectWillChange(_ look: ObjectLooks.Look, in graph: GraphReference) {
    var next: ObjectLooks.Look?
    graph.withGraph { graph in
      let evaluation = Evaluation.around(graph)
      let isPlain = CurrentThread.isPlain
      next = graph.state.withLock { state in
        // A derivation that changes an object it has read would run forever.
        if let evaluation, state.logic.isUsed(look.node, by: evaluation.logic) { return nil }
        return state.looks.end(look, by: isPlain ? CurrentThread.number : nil)
      }
      // Now, so that this thread does not read the former value after the change.
      if next != nil, isPlain {
        CurrentThread.noteAnnouncement(to: graph)
        graph.runAgain(look.node, mustDeliver: false) { $0.looks.follow(look) }
      }
    }
    if let next { lookAgain(next, in: graph, afterAnnouncement: true) }
  }

  /// Whether a look has computed the same value as before, for values that cannot be compared by `==`.
  ///
  /// Without this check, each look would count as a change.
  @inline(never)  // HP13
  static func seesTheSame(_ cell: Cell, _ new: ValueSlot, in graph: Graph) -> Bool {
    let former = graph.state.withLock { state -> AnyPublished? in
      state.looks.isLook(cell.node, edition: state.logic[cell.node].edition &+ 1) ? cell.makeBox() : nil
    }
    guard let former else { return false }
    let box = cell.makeBox(of: new)
    return Evaluation.outside { areSameByReflection(cell.anyValue(of: former), cell.anyValue(of: box)) }
  }

  // MARK: Series of looks

  /// The pauses between the looks of a series, after the first two.
  private static let pauses = [1, 4, 16, 64, 256, 659].map { Duration.milliseconds($0) }

  /// Starts a series of looks.
  ///
  /// - Parameters:
  ///   - look: The look that begins the series.
  ///   - graph: The graph.
  ///   - afterAnnouncement: Whether the series begins with an announcement, so that the derivation has not run yet.
  private static func lookAgain(_ look: ObjectLooks.Look, in graph: GraphReference, afterAnnouncement: Bool) {
    start(in: graph) { graph in
      if afterAnnouncement, !graph.look(look) { return }
      await lookAgain(in: graph) { !graph.looksOnce && graph.look(look) }
      _ = graph.withGraph { graph in graph.state.withLock { $0.looks.finish(look) } }
    }
  }

  /// Calls a closure after growing pauses, until it returns `false`, the graph is gone, or a second has passed.
  static func lookAgain(in graph: GraphReference, _ look: () -> Bool) async {
    // Usually, the object makes the announced change while some other tasks run.
    for _ in 0..<8 { await Task.yield() }
    if !look() { return }
    for pause in pauses {
      // The task does not hold the graph while it sleeps. If the clock throws, the next look follows immediately.
      guard let clock = graph.handle?.graph.clock else { return }
      try? await clock.sleep(until: clock.now + pause)
      if !look() { return }
    }
  }

  /// Starts a task outside the code of the object.
  static func start(in graph: GraphReference, _ body: @escaping @Sendable (GraphReference) async -> Void) {
    // The task must not inherit a selection, which can hold a store.
    _ = Evaluation.setAside { SelectedGraph.deselect { Task.inheritingExecutor { await body(graph) } } }
  }
}

extension GraphReference {
  /// Makes the next look of a series, unless a new series has begun, or the derivation or the graph is gone.
  fileprivate func look(_ look: ObjectLooks.Look) -> Bool {
    var isNewest = false
    withGraph { graph in
      graph.runAgain(look.node) { state in
        isNewest = !state.logic[look.node].isRemoved && state.lookAgain(look)
        return isNewest
      }
    }
    return isNewest
  }

  /// Whether a planted fault ends each series after its first look.
  fileprivate var looksOnce: Bool { handle?.graph.state.withLock { $0.logic.has(.lookOnce) } ?? true }
}

extension Graph {
  /// Invalidates the derivations that were computed since this thread announced changes of their objects.
  ///
  /// Each reading call begins with this step, so that a thread sees the changes that it has made.
  @inline(__always)  // HP13
  func seeOwnChanges() {
    if CurrentThread.hasAnnounced(to: self) { seeAnnouncedChanges() }
  }

  @inline(never)  // HP13
  private func seeAnnouncedChanges() {
    if !CurrentThread.isPlain { return }
    let nodes = state.withLock { state in
      state.looks.takeStale(of: CurrentThread.number) { [logic = state.logic] in logic[$0].edition &+ 2 }
    }
    guard let nodes else { return CurrentThread.forgetAnnouncements(to: self) }
    for node in nodes { runAgain(node, mustDeliver: false) { _ in true } }
  }

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
  fileprivate mutating func beginLook(_ node: NodeID) -> (look: ObjectLooks.Look, beginsSeries: Bool)? {
    logic[node].isRemoved ? nil : looks.begin(node, newRun(), edition: logic[node].edition)
  }

  fileprivate mutating func lookAgain(_ look: ObjectLooks.Look) -> Bool {
    // The node gets one edition now, and another one when the run ends.
    looks.lookAgain(look, edition: logic[look.node].edition &+ 2)
  }
}
