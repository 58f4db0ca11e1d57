import ActorStoreTesting

/// Tasks that dispatch to one store, and checks of the results.
///
/// The workload is the same for the library's store and for the known-bad stores. A pass means something only because
/// the known-bad stores fail.
struct Workload: Sendable {
  var tasks: Int
  var dispatches: Int
  /// Whether some actions are mutations, suspend more often, or fail.
  var isVaried = false
  var hasPriorities = false
  /// The number of tasks to cancel during the run.
  var cancelled = 0
  /// The interval of the tasks whose first action dispatches another action, or 0 for no such task.
  var nestedEvery = 0
  var closes = false

  private static let priorities: [TaskPriority] = [.low, .high, .medium, .background]

  /// Runs the workload once, and throws an error if a check fails.
  func run<S: Subject>(on _: S.Type) async throws {
    let store = S(name: "store")
    let history = HistoryRecorder<Int>()
    store.observe { history.observed($0, by: tasks) }
    let workers = (0..<tasks).map { task in
      Simulation.task(name: "worker \(task)", priority: hasPriorities ? Self.priorities[task % 4] : nil) {
        var isRight = true
        for number in 0..<dispatches {
          let work = work(task, number, store, history)
          let effect = await dispatch(work, to: store, history)
          let seen = await store.log
          history.observed(seen.prefix, by: task)
          // A read after a dispatch returns sees the commit (P5).
          if effect == .applied, !seen.entries.contains(work.id) { isRight = false }
        }
        return isRight
      }
    }
    var others: [Task<Void, Never>] = []
    if cancelled > 0 {
      others.append(
        Simulation.task(name: "canceler") {
          for worker in workers.suffix(cancelled) {
            worker.cancel()
            await Task.yield()
          }
        })
    }
    if closes { others.append(Simulation.task(name: "closer") { store.close() }) }
    for other in others { await other.value }
    for worker in workers {
      try Simulation.expect(await worker.value, "a read after a dispatch returned did not see its commit")
    }
    // Deferred actions may run after their callers return. This action is behind all of them in the queue.
    if !closes { await dispatch(Work(id: -1, suspensions: 0), to: store, history) }
    let record = history.history(applied: await store.log.entries)
    // In a simulation, nothing suspends between recording a call and taking its ticket, so the actions must take effect
    // in the order of the calls (P2). With several threads, other calls can come in between. Then an action must come
    // first only if its call returned before the other call was made.
    let violation = Simulation.isRunning ? record.violation(order: .calls) : record.violation()
    if let violation { throw violation }
  }

  private func work<S: Subject>(_ task: Int, _ number: Int, _ store: S, _ history: HistoryRecorder<Int>) -> Work<S> {
    let id = task * 1_000 + number
    var work = Work<S>(id: id)
    if isVaried {
      work.suspensions = [1, 0, 2][(task + number) % 3]
      if (task + 2 * number) % 7 == 6 { work.ending = .fail }
    }
    if nestedEvery > 0, number == 0, task % nestedEvery == 0 {
      let inner = Work<S>(id: id + 500, suspensions: task % 2)
      work.suspensions = max(1, work.suspensions)
      work.inside = { await dispatch(inner, to: store, history) }
    }
    return work
  }

  @discardableResult
  private func dispatch<S: Subject>(_ work: Work<S>, to store: S, _ history: HistoryRecorder<Int>) async -> Effect {
    let call = history.called(work.id)
    let effect = await store.dispatch(work)
    history.returned(call, effect)
    return effect
  }
}
