/// A check of every interleaving of the moves of virtual threads, which visits each state once.
///
/// A state contains everything to check, so visiting each state once is equivalent to running every interleaving. The
/// time and memory are proportional to the number of states and their moves.
public struct Interleavings<Threads: VirtualThreads> {
  /// The number of different states, up to the first problem.
  public private(set) var states = 0
  /// The number of interleavings, as a floating-point number because it may be large.
  ///
  /// Interleavings that loop are not counted, so if moves can loop, this number is a lower bound. It is not meaningful
  /// if there is a problem.
  public private(set) var count = 0.0
  /// The problem that the fewest moves lead to, or `nil` if there is none.
  public private(set) var problem: Problem?

  /// A broken rule, or an unfinished state in which no thread can move.
  public struct Problem: CustomStringConvertible {
    /// A description of the problem.
    public let message: String
    /// The shortest sequence of moves that leads to the problem.
    public let moves: [Threads.Move]

    /// The message and the moves.
    public var description: String {
      "\(message), after \(moves.isEmpty ? "nothing" : moves.map { "\($0)" }.joined(separator: ", "))"
    }
  }

  private var ways: [Threads: Double] = [:]

  /// Visits every state, until it finds a problem.
  ///
  /// - Parameter threads: The initial state.
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
    // A move that leads back to this state adds no interleaving.
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
    threads.violation ?? (canMove || threads.isFinished ? nil : "no thread can move")
  }

  /// Searches breadth first, so the first fault has the fewest moves.
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
