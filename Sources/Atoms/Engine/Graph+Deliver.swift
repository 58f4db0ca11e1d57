import ActorStore

extension Graph {
  /// Whether the current thread delivers this graph's changes, so that a callback runs.
  var isDeliveringHere: Bool { CurrentThread.isDelivering(self) }

  /// Returns whether the caller becomes the delivering thread.
  ///
  /// Inside an evaluation of this graph, nothing is delivered until the evaluation ends.
  @inline(__always)  // HP19
  func beginDelivery(_ state: inout GraphState) -> Bool {
    state.mayHaveDeliveries && beginDeliveryOfSome(&state)
  }

  @inline(never)  // HP19
  private func beginDeliveryOfSome(_ state: inout GraphState) -> Bool {
    if state.logic.deliveries.isDelivering {
      // A read that creates nothing to deliver is no change.
      if state.logic.deliveries.hasFresh, !isDeliveringHere { state.logic.endChange(isInCallback: false) }
      return false
    }
    return !isEvaluatingHere && state.beginDelivery()
  }

  /// Ends a change of a value, and returns whether the caller must deliver it.
  func startDelivering(_ state: inout GraphState) -> Bool {
    if state.logic.deliveries.isDelivering {
      state.logic.endChange(isInCallback: isDeliveringHere)
      return false
    }
    return beginDelivery(&state)
  }

  /// Whether an evaluation of this graph runs on the current thread, even if a callback hides it.
  var isEvaluatingHere: Bool { Evaluation.around(self) != nil }

  /// Delivers the thread's own change, the changes of its callbacks, and a few rounds of other threads.
  ///
  /// One thread at a time delivers, and the others leave their changes to it. Once its rounds are used up, it leaves
  /// the rest to the next thread that makes a change or to a task, whichever comes first. So the threads that make many
  /// changes also deliver most of them.
  ///
  /// - Parameter first: The first step, if the caller has already determined it under the lock.
  @inline(never)  // HP13
  func deliver(_ first: DeliveryStep? = nil) {
    CurrentThread.deliver(self) {
      Evaluation.outside { SelectedGraph.callBack(self) { deliverSteps(first) } }
    }
  }

  private func deliverSteps(_ first: DeliveryStep?) {
    var step = first ?? state.withLockBackingOff { nextStep(&$0) }
    while take(step) { step = state.withLockBackingOff { nextStep(&$0) } }
  }

  /// Takes a step, and returns whether another one follows.
  @inline(__always)  // HP19
  private func take(_ step: DeliveryStep) -> Bool {
    switch step {
    case .nothing: break
    case .change: deliverChange()
    case .check: check()
    case .elements: deliverElements()
    case .join(let watcher): start(watcher)
    case .endEvaluation: if let evaluation = delivery.takeEvaluation() { end(evaluation.release()) }
    case .rare: deliverRare()
    case .end: return false
    case .leave:
      deliverInTask()
      return false
    }
    return true
  }

  /// Starts a task that delivers what this thread leaves, unless another thread does so first.
  private func deliverInTask() {
    _ = Evaluation.setAside {
      // The handle keeps the store until the end, like a call from outside.
      Task.inheritingExecutor { [self, handle = GraphHandle.of(self)] in
        defer { withExtendedLifetime(handle) {} }
        point("delivers changes of other threads")
        let mustDeliver = state.withLockBackingOff { state in
          state.logic.deliveries.beginTask()
          return beginDelivery(&state)
        }
        if mustDeliver { deliver() }
      }
    }
  }

  private func deliver(_ log: ChangeLog.Taken) {
    for entry in log.entries { log.sink(entry) }
    for definition in log.checks { compute(cell(of: definition)) }
  }

  /// Brings an atom up to date, which can create a log entry.
  private func compute(_ cell: Cell) {
    evaluate(state.withLockBackingOff { $0.logic.begin() }) { _ = $0.box(cell) }
  }

  private func deliverChange() {
    guard let (change, watch) = delivery.takeChange() else { return }
    if let starting = change.starting {
      watch?.start(starting, change.value, in: self)
    } else {
      watch?.deliver(change.value, in: self)
    }
  }

  private func check() {
    guard let (watch, cell, evaluation) = delivery.takeCheck() else { return }
    cell.with { cell in
      evaluation.with { evaluation in
        switch evaluation.run({ evaluation.finishCheck(cell) }) {
        case .value(let value, let version): deliver(value, version, to: watch, of: cell, evaluation)
        case .number: watch.offerNumber(of: cell, in: self)
        }
      }
    }
  }

  private func deliverElements() {
    guard let (watch, cell, evaluation) = delivery.takeCheck() else { return }
    cell.with { cell in
      evaluation.with { evaluation in
        if !watch.deliverElements(upTo: evaluation.logic.revision, atMost: Self.maxElements, of: cell, in: self) {
          return state.withLockBackingOff { $0.logic.checkRest(of: cell.node) }
        }
        let (value, version) = evaluation.run { evaluation.box(cell) }
        deliver(value, version, to: watch, of: cell, evaluation)
      }
    }
  }

  private func deliverRare() {
    guard let rare = delivery.takeRare() else { return }
    for signal in rare.signals { signal.yield() }
    if let log = rare.log { deliver(log) }
    if let endless = rare.endless { problems.report(endless) }
  }

  private func deliver(
    _ value: AnyPublished, _ version: Version, to watch: Watch, of cell: Cell, _ evaluation: Evaluation
  ) {
    let isLastElement = watch.lastElement.map { $0 == number(ofResultIn: cell, evaluation) } ?? false
    watch.deliver(value, version: version, isLastElement: isLastElement, of: cell, in: self)
  }

  /// The number of elements of a sequence that a round delivers.
  private static var maxElements: Int { GraphStateMachine<AnyPublished>.Deliveries.maxChangesOfOthers }

  /// The number of the result that is the state of an asynchronous atom, or `nil` if its state is another one.
  private func number(ofResultIn cell: Cell, _ evaluation: Evaluation) -> Version? {
    let runs = state.withLockBackingOff { state -> Cell? in
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      if !state.has(cell) || state.injections[cell.node]?.injection(at: evaluation.logic.revision) != nil { return nil }
      return cell.definition.runs.flatMap { find($0)?.retained }
    }
    guard let runs else { return nil }
    return runs.resultNumber(of: evaluation.run { evaluation.box(runs) }.value)
  }

  private func start(_ watcher: Int) {
    guard let (watch, cell, evaluation) = delivery.takeCheck() else { return }
    cell.with { cell in
      evaluation.with { evaluation in
        _ = watch.deliverElements(upTo: evaluation.logic.revision, atMost: .max, of: cell, in: self)
        let (value, version) = evaluation.run { evaluation.box(cell) }
        // The other watchers get the value that follows the elements now, because the new one starts with it.
        if watch.lastElement != nil { deliver(value, version, to: watch, of: cell, evaluation) }
        watch.start(watcher, value, version, in: self)
      }
    }
  }
}
