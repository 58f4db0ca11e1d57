@testable import Atoms

extension GraphThreads {
  /// Releases the values of nodes that have come out of use, as `Graph.releaseUnused` does.
  mutating func releaseUnused() {
    let former = logic.revision
    var state = states[states.count - 1]
    for id in logic.takeUnused() {
      let node = Int(id.index)
      if logic[id].isSource {
        if !logic.isAssigned(id) { continue }
        if logic.revision == former { logic.advance() }
        logic.restoreDefault(of: id, old: logic.mustKeep(id) ? state[node] : nil)
        state[node] = sources[node]
        cells[node] = Cell(value: sources[node], validFrom: logic.revision, dirtyAt: .never)
      } else if logic.canDrop(id) {
        if logic.revision == former, logic.hasCleanDependent(id) { logic.advance() }
        logic.drop(id)
        cells[node] = Cell()
      }
    }
    if logic.revision == former { return }
    publishMarks()
    states.append(state)
  }
}
