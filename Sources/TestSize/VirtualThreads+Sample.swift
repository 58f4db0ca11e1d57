package import ActorStoreTesting
import SeededRandom

extension VirtualThreads {
  /// Returns the first problem of a hundred random interleavings, or `nil` if they have none.
  ///
  /// Tests use this sample in place of a large search if they do not have their full size.
  package var problemInSample: String? {
    var random = SplitMix64(1)
    for _ in 0..<100 {
      var threads = self
      while threads.violation == nil, let move = threads.moves.randomElement(using: &random) { threads.take(move) }
      if let problem = threads.violation ?? (threads.isFinished ? nil : "no thread can move") { return problem }
    }
    return nil
  }
}
