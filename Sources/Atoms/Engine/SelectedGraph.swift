import ActorStore
import Synchronization

/// The graph that is current for a task.
enum SelectedGraph {
  /// The graph of a task that has selected none.
  static let shared = GraphHandle(Graph(ProblemHandler(ProblemHandler.standard)))

  /// The address of the graph of `shared`, or 0 until `sharedGraph` is first read.
  ///
  /// The compiler initializes this constant. Each access to a constant that is initialized at run time checks whether
  /// that has happened.
  private static let sharedAddress = Atomic<UInt>(0)

  /// The graph of `shared`, which always exists.
  @inline(__always)  // HP13
  static var sharedGraph: Unretained<Graph> {
    Unretained(address: sharedAddress.load(ordering: .acquiring)) ?? findSharedGraph()
  }

  @inline(never)  // HP13
  private static func findSharedGraph() -> Unretained<Graph> {
    let graph = Unretained(shared.graph)
    sharedAddress.store(graph.address, ordering: .releasing)
    return graph
  }

  /// The graph of `shared`, if a reference refers to it and `sharedGraph` has been read, or else `nil`.
  ///
  /// That graph always exists, so callers need not retain it. Retaining it would make all threads write to one place.
  @inline(__always)  // HP25
  static func sharedGraph(if reference: GraphReference) -> Unretained<Graph>? {
    guard let graph = Unretained<Graph>(address: sharedAddress.load(ordering: .acquiring)) else { return nil }
    return graph.with { $0.reference === reference } ? graph : nil
  }

  @TaskLocal private static var ofTask: TaskSelection?

  /// Whether any task has ever selected a graph, so that a task-local must be read.
  private static let isUsed = Atomic(false)

  /// The selection of the current task, or `nil` if it has none.
  @inline(__always)  // HP13
  static var selection: TaskSelection? { isUsed.load(ordering: .relaxed) ? ofTask : nil }

  /// The graph that the current task has selected.
  @inline(__always)  // HP13
  static var selected: GraphHandle? { selection?.handle }

  /// The run that the current task belongs to.
  @inline(__always)  // HP13
  static var run: AnyRun? { selection?.run }

  /// Selects a graph while a closure runs, and in the tasks that it creates.
  static func select<Result, Failure: Error>(
    _ graph: GraphHandle, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // In the graph of a run, reads still belong to the run.
    let run = run.flatMap { $0.graph === graph.graph.reference ? $0 : nil }
    return try select(GraphSelection(graph, run), body)
  }

  /// Selects a graph or a run while a closure runs, and in the tasks that it creates.
  static func select<Result, Failure: Error>(
    _ selection: TaskSelection, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isUsed.store(true, ordering: .relaxed)
    let result: Swift.Result<Result, Failure> = $ofTask.withValue(selection) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs a closure, and the tasks that it creates, without a selection.
  static func deselect<Result>(_ body: () -> Result) -> Result {
    if selection == nil { return body() }
    return $ofTask.withValue(nil, operation: body)
  }

  /// Selects a graph while an asynchronous closure runs, and in the tasks that it creates.
  nonisolated(nonsending) static func select<Result, Failure: Error>(
    _ graph: GraphHandle, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    isUsed.store(true, ordering: .relaxed)
    let run = run.flatMap { $0.graph === graph.graph.reference ? $0 : nil }
    let result: Swift.Result<Result, Failure> = await $ofTask.withValue(GraphSelection(graph, run)) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Selects a run while an asynchronous closure runs, and in the tasks that it creates.
  nonisolated(nonsending) static func select(_ run: AnyRun, _ body: nonisolated(nonsending) () async -> Void) async {
    isUsed.store(true, ordering: .relaxed)
    await $ofTask.withValue(run) { await body() }
  }

  /// Runs a callback of a graph, for which that graph is the current one.
  static func callBack(_ graph: Graph, _ body: () -> Void) {
    let isCurrent = if let selected { selected.graph === graph } else { sharedGraph.with { $0 === graph } }
    if isCurrent { body() } else { select(GraphHandle.of(graph), body) }
  }
}

extension GraphReference {
  /// Runs a closure with the graph while keeping its owner alive, and returns the result, or `nil` if the owner is
  /// gone.
  @discardableResult
  func withGraph<Result, Failure: Error>(_ body: (Graph) throws(Failure) -> Result) throws(Failure) -> Result? {
    if let shared = SelectedGraph.sharedGraph(if: self) {
      let result = shared.with { graph -> Swift.Result<Result, Failure> in
        graph.touch()
        do throws(Failure) { return .success(try body(graph)) } catch { return .failure(error) }
      }
      return try result.get()
    }
    guard let handle else { return nil }
    defer { withExtendedLifetime(handle) {} }
    handle.graph.touch()
    return try body(handle.graph)
  }
}

extension TaskSelection {
  /// Runs a closure with the selected graph and run, while keeping the graph's owner alive.
  ///
  /// If the graph is gone, the closure gets an empty replacement.
  @inline(__always)  // HP25
  final func withGraphOrReplacement<Result>(_ body: (Graph, AnyRun?) -> Result) -> Result {
    let run = run
    if let run, let shared = SelectedGraph.sharedGraph(if: run.graph) { return shared.with { body($0, run) } }
    let handle = handle
    defer { withExtendedLifetime(handle) {} }
    return body(handle.graph, run)
  }
}
