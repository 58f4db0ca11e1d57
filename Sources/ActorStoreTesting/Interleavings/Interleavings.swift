/// Every interleaving of the moves of some virtual threads, each state visited once.
///
/// What is checked is part of a state, so visiting each state once is as good as running every interleaving; their
/// number is counted along the way. Takes time and memory in proportion to the states.
public struct Interleavings<Threads: VirtualThreads> {
  /// How many different states there are, up to a problem.
  public private(set) var states = 0
  /// How many ways lead to the end, as a floating-point number because there are many; those that loop
  /// are left out.
  public private(set) var count = 0.0
  /// The first thing found to be wrong, with the fewest moves that lead to it; nil when nothing is.
  public private(set) var problem: Problem?

  /// A broken rule, or a state in which nobody can go on and not all have ended.
  public struct Problem: CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// The fewest moves that lead there.
    public let moves: [Threads.Move]

    /// The message and the moves.
    public var description: String {
      "\(message), after \(moves.isEmpty ? "nothing" : moves.map { "\($0)" }.joined(separator: ", "))"
    }
  }

  private var ways: [Threads: Double] = [:]

  /// Visits every state.
  public init(of threads: Threads) {
    var isSound = true
    count = visit(threads, &isSound)
    ways = [:]
    if !isSound { problem = Self.shortest(from: threads) }
  }

  private mutating func visit(_ threads: Threads, _ isSound: inout Bool) -> Double {
    if !isSound { return 0 }
    if let known = ways[threads] { return known }
    states += 1
    let moves = threads.moves
    if Self.fault(of: threads, canMove: !moves.isEmpty) != nil {
      isSound = false
      return 0
    }
    var count = moves.isEmpty ? 1.0 : 0
    // A move that leads back to here adds no way to the end.
    ways[threads] = 0
    for move in moves {
      var next = threads
      next.take(move)
      count += visit(next, &isSound)
    }
    ways[threads] = count
    return count
  }

  private static func fault(of threads: Threads, canMove: Bool) -> String? {
    threads.violation ?? (canMove || threads.isFinished ? nil : "nobody can go on")
  }

  /// Breadth first: the first fault met has the fewest moves.
  private static func shortest(from threads: Threads) -> Problem? {
    var known: Set<Threads> = [threads]
    var queue: [(threads: Threads, moves: [Threads.Move])] = [(threads, [])]
    var next = 0
    while next < queue.count {
      let (threads, path) = queue[next]
      next += 1
      let moves = threads.moves
      if let fault = fault(of: threads, canMove: !moves.isEmpty) { return Problem(message: fault, moves: path) }
      for move in moves {
        var following = threads
        following.take(move)
        if known.insert(following).inserted { queue.append((following, path + [move])) }
      }
    }
    return nil
  }
}
