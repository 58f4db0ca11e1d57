import ActorStore
import Synchronization

/// One run of an operation.
final class Run: AnyRun, @unchecked Sendable {
  /// Sets results, and returns the last one.
  ///
  /// Returns `nil` if it has already set the last one.
  typealias Operation = @Sendable @concurrent (Run) async -> RunResult?

  private let operation: Operation
  /// Whether the operation waits until a change that the cell has noticed counts.
  private let isDelayed: Bool
  private let task = CancelableTask()
  /// The number of changes that an object has announced.
  private let announcements = Atomic<UInt64>(0)
  /// When a delayed operation begins, or `nil` if the operation is not delayed.
  ///
  /// It is set before the task that reads it is created.
  @safe @exclusivity(unchecked) private var beginning: Duration?

  init(_ graph: Graph, _ cell: RunCell, isDelayed: Bool, _ operation: @escaping Operation) {
    self.operation = operation
    runCell = cell
    self.isDelayed = isDelayed
    super.init(graph, cell)
  }

  private let runCell: RunCell

  override func isNewest() -> Bool { runCell.run === self }

  /// Starts the operation, immediately or after its delay, unless the run has already been canceled.
  override func start() {
    if !task.isWanted { return }
    if isDelayed {
      // A run that never begins needs no task. It ends with its cancellation.
      guard let due = graph.withGraph({ runCell.due(of: self, in: $0) }), case .at(let time)? = due else { return }
      beginning = time
    }
    // An executor can run the task inside this call. The task must not become a part of an evaluation or a delivery. It
    // does not inherit the caller's selection, which can hold a store. It selects the run after it begins, because
    // inheriting a task-local copies it.
    let new = Evaluation.setAside {
      SelectedGraph.deselect {
        // If the closure captured more than the run, it would allocate.
        startTask { [self] in
          await SelectedGraph.select(self) {
            let mayBegin = if let beginning { await wait(until: beginning) } else { task.isWanted }
            point("begins a run")
            end(mayBegin ? await operation(self) : nil)
          }
        }
      }
    }
    task.begin(new)
  }

  override func note(_ pace: TimedPace?, for node: NodeID, _ state: inout GraphState) {
    runCell.note(pace, for: node, &state)
  }

  /// Waits until a time, and returns whether the run may begin.
  @inline(never)  // HP9
  private func wait(until time: Duration) async -> Bool {
    guard let clock = graph.handle?.graph.clock else { return false }
    // If the clock throws for another reason than a cancellation, the run begins without further delay.
    do { try await clock.sleep(until: time) } catch  where !task.isWanted { return false } catch {}
    var isNewest = false
    graph.withGraph { isNewest = runCell.begin(self, in: $0) }
    return isNewest
  }

  override func cancel() { task.cancel() }

  /// Sets the result, unless there is a newer run.
  func set(_ result: RunResult) {
    graph.withGraph { runCell.set(result, by: self, ends: false, in: $0) }
  }

  /// Sets an element of a sequence, unless there is a newer run.
  ///
  /// - Parameters:
  ///   - result: The element.
  ///   - state: The state of the visible atom.
  func add<Element: Sendable>(_ result: RunResult, _ state: AsyncState<Element>) {
    graph.withGraph { runCell.set(result, by: self, ends: false, element: Published(state), in: $0) }
  }

  /// Notes that a sequence has ended after its last element, unless there is a newer run.
  func finish() { graph.withGraph { runCell.finish(self, in: $0) } }

  /// Sets the result now, and again after growing pauses, because an announced change may not have happened yet.
  func setRepeatedly(_ result: RunResult) {
    let number = announcements.add(1, ordering: .relaxed).newValue
    set(result)
    ObjectFollower.start(in: graph) { graph in
      await ObjectFollower.lookAgain(in: graph) { [self] in
        guard task.isWanted, announcements.load(ordering: .relaxed) == number else { return false }
        set(result)
        return true
      }
    }
  }

  /// Ends the pin, because the run makes no more reads.
  func endReading() { graph.withGraph { unpin(in: $0) } }

  /// Lets another task of a simulation run before the run begins or ends.
  private func point(_ what: StaticString) {
    if !Graph.isSimulated { return }
    // The atom may be gone, even if it was there before the point.
    graph.withGraph { graph in
      let label = { graph.state.withLock { $0.has(self.runCell) ? self.runCell.definition.label : "a released atom" } }
      graph.point("\(what) of \(label())")
    }
  }

  @inline(never)  // HP9
  private func end(_ result: RunResult?) {
    graph.withGraph { graph in
      point("ends a run")
      if let result {
        runCell.set(result, by: self, ends: true, in: graph)
      } else {
        runCell.end(self, in: graph)
      }
    }
  }
}
