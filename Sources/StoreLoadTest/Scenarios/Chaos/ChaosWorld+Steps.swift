import ActorStore
import Atoms

extension ChaosWorld {
  /// Begins to observe the followers of each thread's steps, and waits until each has its first value.
  mutating func prepare() async {
    await store.callAsCurrent { await prepareHere() }
  }

  private mutating func prepareHere() async {
    guard let graph else { return }
    for index in threads.indices {
      threads[index].stepObservations = graph.steps[index].observe(in: store)
      threads[index].setStep()
    }
    await endDelays(graph)
    // From now on, each change arrives after a delay.
    for steps in graph.steps { steps.beginTimes() }
  }

  /// Checks that all followers of each thread's steps end on the newest step, and that none is too early.
  mutating func settleSteps(_ graph: ChaosGraph) async {
    await endDelays(graph)
    let runs = graph.steps.map(\.runs)
    for steps in graph.steps { steps.setQuiet(true) }
    for _ in 0..<2 {
      for index in threads.indices { threads[index].setStep() }
      await deliver()
      clock.advance(by: ChaosSteps.delay / 2)
    }
    await deliver()
    // Gives a run that would begin too early the time to begin.
    for _ in 0..<100 { await Task.yield() }
    for (steps, thread) in zip(graph.steps, threads) {
      expect("debounced before the delay", steps.debounced.value, thread.knownStep - 2)
      expect("an AsyncAtom with debounce before the delay", steps.search.value, .loading)
    }
    clock.advance(by: ChaosSteps.delay / 2)
    await reachEnd(graph)
    for (steps, former) in zip(graph.steps, runs) { expect("runs after two changes", steps.runs, former + 1) }
    for steps in graph.steps { steps.setQuiet(false) }
    await checkModels()
  }

  /// Waits until no delay is left.
  private func endDelays(_ graph: ChaosGraph) async {
    // A delay begins with the delivery of a change.
    await deliver()
    clock.advance(by: ChaosSteps.delay)
    await reachEnd(graph)
  }

  private func reachEnd(_ graph: ChaosGraph) async {
    for (steps, thread) in zip(graph.steps, threads) {
      let newest = thread.knownStep
      say("the end of delays on \(newest)")
      await steps.debounced.reaches { $0 == newest }
      await steps.throttled.reaches { $0 == newest }
      expect("the result after a delay", try? await steps.search.result, newest)
    }
    await deliver()
    for (steps, thread) in zip(graph.steps, threads) {
      expect("a problem with the steps of thread \(thread.index)", steps.problemAtEnd(thread.knownStep), nil)
    }
  }

  private func checkModels() async {
    for thread in threads {
      for case let model? in thread.models {
        let newest = model.newest()
        say("a model that ends on \(newest)")
        await model.reaches(newest)
        expect("a problem with a model", await model.problem(), nil)
      }
    }
  }

  /// Notes that all atoms are about to be reset.
  func willReset(_ graph: ChaosGraph) {
    for steps in graph.steps { steps.willReset() }
  }

  /// Checks the values from `onReset` closures after all atoms were reset.
  func checkResets(_ graph: ChaosGraph) async {
    await deliver()
    for (index, thread) in threads.enumerated() {
      let (steps, resets) = (graph.steps[index], graph.resets[index])
      expect("a problem after a reset of all atoms", steps.problemAtEnd(0), nil)
      // The order in which the atoms are reset is not promised.
      let possible = [0, thread.knownStep].map(ChaosResets.plain)
      expect("\(resets.plain.value) is one of \(possible)", possible.contains(resets.plain.value), true)
      expect("onReset of a GetSetAtom", resets.half.value, ChaosResets.halved(0))
    }
  }
}
