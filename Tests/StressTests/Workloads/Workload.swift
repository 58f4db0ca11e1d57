import ActorStoreTesting

/// Some tasks that dispatch to one store, and the checks of what came of it.
///
/// The same for this library's store and for those that are known to be wrong: what passes here is worth as much as
/// what does not.
struct Workload: Sendable {
  var tasks: Int
  var dispatches: Int
  /// Mutations, failing actions and longer ones among the plain ones.
  var isVaried = false
  var hasPriorities = false
  /// This many of the tasks are cancelled, at some time.
  var cancelled = 0
  /// The first dispatch of every so many tasks dispatches another inside; 0: none.
  var nestedEvery = 0
  var closes = false

  private static let priorities: [TaskPriority] = [.low, .high, .medium, .background]

  /// One run of it: throws what was wrong.
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
          // A read after a dispatch has returned sees its commit (P5).
          if effect == .applied, !seen.entries.contains(work.id) { isRight = false }
        }
        return isRight
      }
    }
    var others: [Task<Void, Never>] = []
    if cancelled > 0 {
      others.append(
        Simulation.task(name: "canceller") {
          for worker in workers.suffix(cancelled) {
            worker.cancel()
            await Task.yield()
          }
        })
    }
    if closes { others.append(Simulation.task(name: "closer") { store.close() }) }
    for other in others { await other.value }
    for worker in workers {
      try Simulation.expect(await worker.value, "a dispatch had returned, and a read did not see its commit")
    }
    // What was deferred runs after its caller: the last place in the queue is behind it.
    if !closes { await dispatch(Work(id: -1, suspensions: 0), to: store, history) }
    let record = history.history(applied: await store.log.entries)
    // Between recording a call and its ticket nothing suspends, so the calls are to take effect in their order (P2). On
    // several threads others come in between all the same, and only what had returned is before what was called then.
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
