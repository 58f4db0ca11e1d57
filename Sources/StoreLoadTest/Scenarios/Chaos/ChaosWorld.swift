import ActorStore
import Atoms
import SeededRandom

/// A random graph in a store, and the threads that use it.
struct ChaosWorld: Sendable {
  private let bench: Bench
  let clock = ChaosClock()
  let store: AtomStore
  private(set) var graph: ChaosGraph?
  var threads: [ChaosThread] = []
  private let fence = Atom(0, lifetime: .kept)
  private let name: String

  init(_ number: Int, threads count: Int, seed: UInt64, isWrong: Bool, _ bench: Bench) {
    self.bench = bench
    name = "graph \(number) with seed \(seed)"
    store = AtomStore(clock: clock)
    let name = name
    store.onProblem = { problem in
      if !problem.isWarning { bench.expect("\(name): problem", "\(problem)", "none") }
    }
    var random = SplitMix64(seed)
    // Setters that read atoms make each set a transaction, and objects make each derivation look for them.
    let graph = ChaosGraph(
      threads: count, hasSetters: number % 2 == 1, hasObjects: number >= 4, isWrong: isWrong, clock, &random)
    self.graph = graph
    threads = (0..<count).map { ChaosThread($0, graph, store, clock, bench, seed: random.next()) }
    store.callAsCurrent {
      for balance in graph.balanced { balance.sum.value = 1 }
    }
    for index in threads.indices where !graph.balanced.isEmpty { threads[index].known.sum = 1 }
    if number % 4 == 2 { store.enableAtomLogging { _ in } }
  }

  /// Performs a number of operations in each thread, all at the same time.
  mutating func run(_ count: Int, on executors: [OwnThread]) async {
    let (places, name) = (threads.map(\.place), name)
    bench.watch { "\(name): " + places.enumerated().map { "thread \($0): \($1.text)" }.joined(separator: "; ") }
    // Moves each thread into its task, because a copy would keep its wrappers and models alive after it releases them.
    let boxes = threads.map(ChaosBox.init)
    threads = []
    threads = await withTaskGroup(of: ChaosThread?.self) { group in
      for (box, executor) in zip(boxes, executors) {
        group.addTask(executorPreference: executor) {
          guard var thread = box.take() else { return nil }
          await thread.store.callAsCurrent { await thread.run(count) }
          return thread
        }
      }
      var threads: [ChaosThread] = []
      for await case let thread? in group { threads.append(thread) }
      return threads.sorted { $0.index < $1.index }
    }
  }

  // MARK: Checking

  /// Waits until all runs have ended and all changes are delivered, and then computes everything again.
  mutating func settle() async {
    await store.callAsCurrent { await settleHere() }
  }

  private mutating func settleHere() async {
    guard let graph else { return }
    // A use ends the countdowns, so that no value is reset during the checks.
    let uses = graph.shared.map { UseAtom($0) }
    for index in threads.indices {
      say("own stream of thread \(index)")
      await threads[index].checkOwnFollower()
    }
    await finishRuns(graph)
    await settleSteps(graph)
    await deliver()
    for index in threads.indices { threads[index].check(in: store, threads[index].known, isQuiet: true) }
    await checkWatchers(graph)
    await checkTotals(graph)
    let store = store
    say("the end of evaluations and former values")
    await eventually { !store.diagnostics.isPinned && store.diagnostics.kept == 0 }
    expect("an evaluation is left", store.diagnostics.isPinned, false)
    expect("former values are left", store.diagnostics.kept, 0)
    withExtendedLifetime(uses) {}
  }

  /// Waits for the results of all runs, and for the newest values of sequences and objects.
  private func finishRuns(_ graph: ChaosGraph) async {
    say("the selection of the bank")
    await graph.bank.dispatch { _ in }
    for (index, volume) in graph.volumes.enumerated() {
      say("property \(index)")
      let newest = graph.settings[index].volume
      await volume.reaches { $0 == newest }
    }
    say("a property on an actor")
    let volume = graph.player.settings.volume
    await graph.playerVolume.reaches { $0 == volume }
    say("the newest element")
    graph.elements.reload()
    let newest = graph.feed.newest
    await graph.elements.reaches { $0.value == newest }
    store.removeInjection(of: graph.loads[2].atom)
    for (index, load) in (graph.loads + [graph.canceled]).enumerated() {
      say("result \(index)")
      _ = try? await load.atom.result
      let first = store.snapshot { load.problem(isFinished: true) }
      // A cancellation can restore an older result.
      if index < graph.loads.count { expect("result \(index)", first, nil) }
      load.atom.reload()
      _ = try? await load.atom.result
      expect("result \(index) after a reload", store.snapshot { load.problem(isFinished: true) }, nil)
      expect("result \(index) of a reload is set by hand", load.atom.value.value?.run == 0, false)
    }
  }

  /// Waits until all changes are delivered, including those that callbacks make.
  func deliver() async {
    say("deliveries")
    var values = fence.values.makeAsyncIterator()
    for _ in 0..<4 {
      // The round that delivers this value delivers all earlier changes by its end, so before the next one.
      let next = fence.value + 1
      fence.value = next
      while let value = await values.next(), value != next {}
    }
  }

  private func checkWatchers(_ graph: ChaosGraph) async {
    let values = store.snapshot { graph.derived.map(\.value) }
    for thread in threads {
      for case let (watcher, _)? in thread.observations {
        expect("the last delivery of derived \(watcher.node)", watcher.last, values[watcher.node])
        expect("a value was delivered twice", watcher.repeated, nil)
      }
      for case let follower? in thread.followers {
        let node = follower.watcher.node
        say("a stream of derived \(node) that ends on \(values[node])")
        await follower.watcher.reaches(values[node])
        expect("a stream repeated a value", follower.watcher.repeated, nil)
      }
    }
  }

  private func checkTotals(_ graph: ChaosGraph) async {
    for (index, counter) in graph.counters.enumerated() {
      expect("updates", counter.value, threads.reduce(0) { $0 + $1.increments[index] })
    }
    let bank = await graph.bank.state
    expect("dispatches", bank.count, threads.reduce(0) { $0 + $1.dispatches })
    expect(
      "selections", [graph.bankCount.value, graph.bankTwice.value, graph.bankNote.value],
      [bank.count, bank.twice, bank.note])
    for thread in threads {
      let members = thread.knownMember.indices.map { graph.members(thread.index * 100 + $0).value }
      expect("family members", members, thread.knownMember)
    }
  }

  // MARK: Ending

  /// Ends all uses, resets all atoms, releases them, and checks that the store has none of them.
  ///
  /// - Returns: The operations of the threads.
  mutating func end() async -> ChaosCounts {
    var counts = threads.reduce(into: ChaosCounts()) { $0.add($1.counts) }
    counts.repeats = store.diagnostics.repeats
    await store.callAsCurrent { await resetHere() }
    await checkAudit()
    threads = []
    graph = nil
    say("the release of all atoms")
    let dummies = AtomFamily { (number: Int) in DerivedAtom { number }.debugLabel("dummy") }
    clock.advance(by: .seconds(10))
    let (store, fence) = (store, fence.debugLabel("dummy"))
    var number = 0
    await eventually {
      // The store keeps members that it does not need until it reads others.
      for _ in 0..<200 {
        number += 1
        _ = store.get(dummies(number))
      }
      return store.graph.atoms.allSatisfy { $0.label == "dummy" }
    }
    expect("atoms are left", store.graph.atoms.filter { $0.label != "dummy" }.map(\.label), [])
    withExtendedLifetime(fence) {}
    return counts
  }

  private mutating func resetHere() async {
    guard let graph else { return }
    for index in threads.indices {
      await threads[index].endUses()
      for node in threads[index].known.injected { store.removeInjection(of: graph.derived[node]) }
    }
    for atom in graph.shared { store.removeInjection(of: atom) }
    willReset(graph)
    store.resetAll()
    await checkResets(graph)
    expect("reset own atoms", graph.own.joined().map(\.value), graph.own.joined().map { _ in 0 })
    expect("reset shared atoms", graph.shared.map(\.value), Array(graph.shared.indices))
    expect("reset counters", graph.counters.map(\.value), graph.counters.map { _ in 0 })
    expect("reset accounts", graph.accounts.map(\.value), graph.accounts.map { _ in ChaosGraph.balance })
    expect("reset WillSetAtoms", graph.willSets.map(\.value), graph.willSets.map { _ in -1 })
    expect("reset items", graph.items.value, [])
  }

  /// Closes the bank, and checks that each follower has every commit exactly once and the right number of deposits.
  private func checkAudit() async {
    guard let audit = graph?.audit else { return }
    say("the followers of the bank")
    try? await audit.bank.closeAndDrain()
    let commits = audit.bank.diagnostics.revision
    // A drain does not wait for reports.
    await eventually { !audit.isWaiting(for: Int(commits)) }
    let expected = ChaosAudit.Ledger(
      revisions: Array(1..<commits + 1), deposits: threads.reduce(0) { $0 + $1.dispatches })
    for (follower, ledger) in await audit.ledgers() { expect(follower, ledger, expected) }
  }

  // MARK: Helpers

  func say(_ step: String) {
    let name = name
    bench.watch { "\(name) waits for \(step)" }
  }

  func expect<Value: Equatable>(_ what: String, _ seen: Value, _ expected: Value) {
    bench.expect("\(name): \(what)", seen, expected)
  }

  /// Lets other tasks run until a condition is met.
  ///
  /// If it never is, the watchdog reports the stall.
  private func eventually(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }
}
