import ActorStore

/// The value of an asynchronous atom.
struct RunValue<Success: Sendable>: Sendable {
  var state = AsyncState<Success>.loading
  /// The last success.
  var latest: Success?
  /// The last success or failure.
  var finished: AsyncState<Success>?

  /// The value when another run begins.
  var loading: RunValue { RunValue(state: .loading, latest: latest, finished: finished) }

  /// The value after a result.
  func after(_ state: AsyncState<Success>) -> RunValue {
    RunValue(state: state, latest: state.value ?? latest, finished: state)
  }
}

extension RunValue: Equatable where Success: Equatable {}

/// One run of an operation.
final class Run<Success: Sendable>: AnyRun, @unchecked Sendable {
  /// Sets states of the atom, and returns the last one, or `nil` if it has set that one too.
  typealias Operation = @Sendable @concurrent (Run) async -> AsyncState<Success>?

  private let operation: Operation
  /// The time to wait before the operation.
  private let delay: Duration
  private let progress = Locked(Progress())

  private struct Progress: Sendable {
    var isCanceled = false
    var task: Task<Void, Never>?
  }

  init(_ graph: Graph, _ cell: RunCell<Success>, after delay: Duration, _ operation: @escaping Operation) {
    self.operation = operation
    self.delay = delay
    super.init(graph, cell)
  }

  private var typedCell: RunCell<Success>? { cell as? RunCell<Success> }

  override func isNewest() -> Bool { typedCell?.run === self }

  /// Starts the operation, unless the run was canceled before.
  override func start() {
    if progress.withLock({ $0.isCanceled }) { return }
    // An executor may run the task inside this call, but not as a part of the evaluation that needs the run.
    let task = Evaluation.setAside {
      SelectedGraph.select(self) {
        Task.inheritingExecutor { [self] in
          end(await wait() ? await operation(self) : nil)
        }
      }
    }
    let isCanceled = progress.withLock { progress in
      progress.task = task
      return progress.isCanceled
    }
    if isCanceled { task.cancel() }
  }

  override func note(_ pace: Pace?, for node: NodeID, in graph: Graph, _ state: GraphState) {
    typedCell?.note(pace, for: node, in: graph, state)
  }

  /// Waits for the delay, and returns whether the run may begin.
  private func wait() async -> Bool {
    if delay == .zero { return !progress.withLock { $0.isCanceled } }
    guard let clock = graph.handle?.graph.clock else { return false }
    do { try await clock.sleep(for: delay) } catch { return false }
    var isNewest = false
    graph.withGraph { isNewest = typedCell?.begin(self, in: $0) ?? false }
    return isNewest
  }

  override func cancel() {
    let task = progress.withLock { progress in
      progress.isCanceled = true
      return progress.task
    }
    task?.cancel()
  }

  /// Sets the state of the atom, unless there is a newer run.
  func set(_ state: AsyncState<Success>) {
    graph.withGraph { graph in typedCell?.change(by: self, ends: false, in: graph) { $0.after(state) } }
  }

  /// Sets the state of the atom, and once more a moment later, because of a change that may not have happened yet.
  func setTwice(_ state: AsyncState<Success>) async {
    set(state)
    await Task.yield()
    set(state)
  }

  /// Ends the pin, because the run makes no more reads.
  func endReading() { graph.withGraph { unpin(in: $0) } }

  private func end(_ state: AsyncState<Success>?) {
    graph.withGraph { graph in
      if let state {
        typedCell?.change(by: self, ends: true, in: graph) { $0.after(state) }
      } else {
        typedCell?.end(self, in: graph)
      }
      unpin(in: graph)
    }
  }
}
