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
  private let operation: RunDefinition<Success>.Operation
  private let progress = Locked(Progress())

  private struct Progress: Sendable {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  init(_ graph: Graph, _ cell: RunCell<Success>, _ operation: @escaping RunDefinition<Success>.Operation) {
    self.operation = operation
    super.init(graph, cell)
  }

  override func isNewest() -> Bool { (cell as? RunCell<Success>)?.run === self }

  /// Starts the operation, unless the run was canceled before.
  override func start() {
    if progress.withLock({ $0.isCancelled }) { return }
    let task = SelectedGraph.select(self) {
      Task.inheritingExecutor { [self] in
        let result: Result<Success, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        graph.withGraph { end(result, in: $0) }
      }
    }
    let isCancelled = progress.withLock { progress in
      progress.task = task
      return progress.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  override func cancel() {
    let task = progress.withLock { progress in
      progress.isCancelled = true
      return progress.task
    }
    task?.cancel()
  }

  private func end(_ result: Result<Success, any Error>, in graph: Graph) {
    if let cell = cell as? RunCell<Success> {
      let state: AsyncState<Success> =
        switch result {
        case .success(let value): .success(value)
        case .failure(let error): .failure(error)
        }
      cell.change(by: self, in: graph) { $0.after(state) }
      cell.end(self, in: graph)
    }
    unpin(in: graph)
  }
}
