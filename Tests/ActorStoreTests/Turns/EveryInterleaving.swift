/// All the states that the moves of some virtual callers can lead to, each visited once.
///
/// What is checked is part of a state (`VirtualWorld` records order and rules broken), so visiting each state once is
/// as good as running every interleaving; their number is counted along the way.
struct EveryInterleaving {
  private(set) var states = 0
  private(set) var interleavings = 0.0
  private(set) var problem: String?
  private var known: [VirtualWorld: Double] = [:]

  init(of world: VirtualWorld) {
    interleavings = explore(world, path: [])
  }

  private mutating func explore(_ world: VirtualWorld, path: [VirtualWorld.Move]) -> Double {
    if problem != nil { return 0 }
    if let violation = world.violation {
      problem = "\(violation), after \(path)"
      return 0
    }
    if let count = known[world] { return count }
    states += 1
    let moves = world.moves
    if moves.isEmpty {
      if !world.isFinished { problem = "nobody can go on, after \(path)" }
      known[world] = 1
      return 1
    }
    var count = 0.0
    for move in moves {
      var next = world
      next.take(move)
      count += explore(next, path: path + [move])
    }
    known[world] = count
    return count
  }
}
