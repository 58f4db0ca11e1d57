import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  /// Begins an observation of a derived atom, or ends one.
  mutating func observe() {
    let slot = random.below(observations.count)
    if let (watcher, token) = observations[slot].take() {
      expect("a value was delivered twice", watcher.repeated, nil)
      token.cancel()
      return
    }
    let node = random.below(graph.derived.count)
    let watcher = ChaosWatcher(node)
    let (echo, setsAtom) = (graph.echo, random.below(2) == 0)
    let token = store.observe(graph.derived[node]) { value in
      watcher.saw(value)
      if setsAtom { echo.value = value }
    }
    observations[slot] = (watcher, token)
  }

  mutating func follow(_ kind: ChaosKind) async {
    if kind == .followOwn {
      await checkOwnFollower()
      ownFollower = (
        ChaosFollower(0, graph.own[index][0].values, keepsAll: true), [known.own[0]]
      )
      return
    }
    let slot = random.below(followers.count)
    if let former = followers[slot].take() {
      expect("a stream repeated a value", former.watcher.repeated, nil)
      await former.end()
    } else {
      let node = random.below(graph.derived.count)
      followers[slot] = ChaosFollower(node, graph.derived[node].values)
    }
  }

  /// Ends the stream of an own atom on a last value, and compares it with all values that the thread has set.
  mutating func checkOwnFollower() async {
    guard ownFollower != nil else { return }
    // No other value is negative.
    let last = -number
    graph.own[index][0].value = last
    setsOwn(0, last)
    guard let (follower, values) = ownFollower.take() else { return }
    await follower.watcher.reaches(last)
    await follower.end()
    expect("values of a stream", follower.watcher.all, values)
  }

  /// Begins or ends the use of a shared or a derived atom.
  mutating func use() {
    let slot = random.below(uses.count)
    if random.below(2) == 0 {
      let former = uses[slot].take()
      if former == nil { uses[slot] = UseAtom(graph.shared[random.below(graph.shared.count)]) }
    } else {
      let former = derivedUses[slot].take()
      if former == nil { derivedUses[slot] = UseAtomValue(graph.derived[random.below(graph.derived.count)]) }
    }
  }

  /// Injects one of the nodes that only this thread injects, or removes its injection.
  mutating func inject() {
    let nodes = graph.derived.indices.filter { graph.plan.isInjectable($0) && $0 / 8 % graph.threads == index }
    guard !nodes.isEmpty else { return }
    let node = nodes[random.below(nodes.count)]
    if known.injected.remove(node) != nil {
      store.removeInjection(of: graph.derived[node])
    } else {
      graph.inject(node, in: store)
      known.injected.insert(node)
    }
    check(in: store, known)
  }

  mutating func injectInput(_ kind: ChaosKind) {
    let isRemoval = random.below(2) == 0
    if kind == .injectSource {
      let atom = graph.shared[3]
      if isRemoval { store.removeInjection(of: atom) } else { store.inject(atom, value: random.below(100)) }
    } else {
      let load = graph.loads[2]
      if isRemoval { store.removeInjection(of: load.atom) } else { load.inject(in: store) }
    }
  }

  /// Ends all uses and watchers.
  mutating func endUses() async {
    for observation in stepObservations { observation.cancel() }
    stepObservations = []
    models = models.map { _ in nil }
    for slot in observations.indices { observations[slot].take()?.token.cancel() }
    for slot in followers.indices { await followers[slot].take()?.end() }
    for slot in uses.indices {
      let former = (uses[slot].take(), derivedUses[slot].take())
      withExtendedLifetime(former) {}
    }
  }
}
