import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  mutating func performAsync(_ kind: ChaosKind) async {
    let load = graph.loads[random.below(graph.loads.count)]
    switch kind {
    case .readAsync:
      expectNone(store.snapshot { load.problem(isFinished: false) })
    case .reload:
      let before = load.runs.total
      load.atom.reload()
      // The removal of an injection restores an older run.
      if load.runs !== graph.loads[2].runs, let seen = load.atom.value.value, seen.run != 0, seen.run <= before {
        expect("the run after a reload", seen.run, before + 1)
      }
    case .setAsync:
      load.atom.value = .success(.init(value: random.below(100), run: 0))
    case .cancel:
      if random.below(2) == 0 { graph.canceled.atom.cancel() } else { graph.canceled.atom.reload() }
      _ = graph.canceled.atom.value
    case .result:
      _ = try? await load.atom.result
    case .element:
      graph.feed.add()
      readElement()
    default:
      switch random.below(3) {
      case 0: graph.elements.reload()
      case 1: graph.elements.value = .success(-1 - random.below(100))
      default: readElement()
      }
    }
  }

  /// Reads the newest element, which cannot be newer than the newest one of the feed.
  private func readElement() {
    guard let seen = graph.elements.value.value else { return }
    let newest = graph.feed.newest
    if seen > newest { expect("an element", seen, newest) }
  }

  /// Changes an observable object.
  mutating func change(_ kind: ChaosKind) async {
    if kind == .actorObject {
      await graph.player.add()
      let (seen, newest) = (graph.playerVolume.value, graph.player.settings.volume)
      if seen > newest { expect("a property on an actor", seen, newest) }
      return
    }
    if graph.settings.isEmpty { return }
    changesOfObject += 1
    graph.settings[index].volume = changesOfObject
    expect("a property", graph.volumes[index].value, changesOfObject)
  }
}
