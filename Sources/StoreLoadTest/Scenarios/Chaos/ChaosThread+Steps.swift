import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  private struct Failed: Error {}

  mutating func performStep(_ kind: ChaosKind) async {
    switch kind {
    case .step: step()
    case .readDebounced, .readThrottled, .readSearch: readSteps(kind)
    case .model: await beginOrEndModel()
    default: if let model = models[random.below(models.count)] { expectNone(await model.problem()) }
    }
  }

  // MARK: Closures and delays

  private var ownSteps: ChaosSteps { graph.steps[index] }

  /// Increases the atom of this thread, or tries to in a transaction that throws.
  private mutating func step() {
    let (steps, from) = (ownSteps, knownStep)
    switch random.below(4) {
    case 0:
      try? store.transaction {
        steps.atom.value += 1
        throw Failed()
      }
    case 1:
      let to = from + 1 + random.below(2)
      steps.willSet(to)
      let isLoading = store.transaction {
        for _ in from..<to { steps.atom.value += 1 }
        return steps.search.value.loading
      }
      knownStep = to
      expect("an AsyncAtom is loading in a transaction that sets its source", isLoading, true)
    case 2:
      setStep()
    default:
      steps.willSet(from + 1)
      steps.atom.update { $0 += 1 }
      knownStep = from + 1
    }
    expect("an atom with onUpdate", steps.atom.value, knownStep)
    expectNone(steps.problem)
  }

  /// Increases the atom of this thread by one.
  mutating func setStep() {
    knownStep += 1
    ownSteps.willSet(knownStep)
    ownSteps.atom.value = knownStep
  }

  /// Compares a follower of a thread's steps with the newest step.
  private mutating func readSteps(_ kind: ChaosKind) {
    let thread = random.below(graph.threads)
    let steps = graph.steps[thread]
    switch kind {
    case .readDebounced:
      let wrapper = UseAtomValue(steps.atom, debounce: ChaosSteps.delay)
      let (seen, own, newest) = store.snapshot { (steps.debounced.value, wrapper.wrappedValue, steps.atom.value) }
      expectNone(seenSteps[thread].problem("debounced", seen, newest))
      expect("a wrapper with debounce", own, seen)
    case .readThrottled:
      let (seen, newest, thirds) = store.snapshot { (steps.throttled.value, steps.atom.value, steps.thirds.value) }
      expectNone(seenSteps[thread].problem("throttled", seen, newest))
      expect("thirds", thirds, newest / 3)
    default:
      let (state, latest, newest) = store.snapshot { (steps.search.value, steps.search.latest.value, steps.atom.value) }
      if let latest { expectNone(seenSteps[thread].problem("latest", latest, newest)) }
      if let seen = state.value { expect("the result of an AsyncAtom with debounce", seen, newest) }
      expect("a failure of an AsyncAtom with debounce", state.failure == nil, true)
    }
  }

  // MARK: Models

  private mutating func beginOrEndModel() async {
    let slot = random.below(models.count)
    if models[slot] != nil { return await endModel(slot) }
    switch random.below(3) {
    case 0:
      let derived = graph.derived[random.below(graph.derived.count)]
      models[slot] = await ChaosModel(derived, in: store)
    case 1:
      let thread = random.below(graph.threads)
      let model = await ChaosModel(graph.steps[thread].atom, in: store, isGrowing: true)
      if thread == index { expect("the first value of a model", model.first, knownStep) }
      models[slot] = model
    default:
      let atom = Atom(0, lifetime: .whileUsed)
      models[slot] = await ChaosModel(atom, in: store, isGrowing: true, isOnlyUse: true)
      atom.value = number
    }
  }

  private mutating func endModel(_ slot: Int) async {
    guard let (newest, isOnlyUse) = models[slot].map({ ($0.newest, $0.isOnlyUse) }) else { return }
    expectNone(await models[slot]?.problem())
    models[slot] = nil
    // If the main actor is delivering a value to the model, it holds the model until the delivery ends.
    await MainActor.run {}
    if isOnlyUse { expect("an atom after its last use", newest(), 0) }
  }

  // MARK: Resets

  /// Sets or resets atoms with `onReset` closures.
  mutating func performReset(_ kind: ChaosKind) {
    let (resets, value) = (graph.resets[index], random.below(100))
    let runs = resets.runs.total
    expect("runs of onReset without a reset", runs, knownResets.runs)
    switch (kind, random.below(3)) {
    case (.setResettable, 0):
      resets.half.value = value
      knownResets.half = value
    case (.setResettable, _):
      resets.plain.value = value
      knownResets.plain = value
      expect("runs of onReset in a set", resets.runs.total, runs)
    case (_, 0):
      resets.half.reset()
      knownResets.half = ChaosResets.halved(knownResets.half)
    case (_, 1):
      resetInTransaction(resets)
    default:
      resets.plain.reset()
      knownResets.plain = ChaosResets.plain(knownStep)
      expect("onReset ran", resets.runs.total > runs, true)
    }
    knownResets.runs = resets.runs.total
    expect("an atom with onReset", resets.plain.value, knownResets.plain)
    expect("a GetSetAtom with onReset", resets.half.value, knownResets.half)
  }

  /// Resets atoms in a transaction that also reads the shared atom that a closure reads.
  ///
  /// The transaction can throw.
  private mutating func resetInTransaction(_ resets: ChaosResets) {
    let (shared, fails, value) = (graph.shared[0], random.below(2) == 0, random.below(200))
    var seen = (mixed: 0, shared: 0)
    do {
      try store.transaction {
        if value < 100 { shared.value = value }
        resets.mixed.value = -1
        resets.mixed.reset()
        resets.plain.reset()
        seen = (resets.mixed.value, shared.value)
        if fails { throw Failed() }
      }
      knownResets.plain = ChaosResets.plain(knownStep)
    } catch {}
    expect("onReset in a transaction", seen.mixed, ChaosResets.mixed(seen.shared))
  }
}
