import ActorStoreTesting
import Synchronization

/// A store that retries the actions that fail, and refuses some.
protocol RetryingSubject: Sendable {
  init()

  /// Runs a piece of work in its own turn, and runs it again after a failure, up to a number of attempts.
  func run(_ piece: RetriedPiece, attempts: Int) async -> RetriedPiece.End

  /// The committed entries.
  var entries: [Int] { get async }
}

/// The work of one dispatch, which fails in some of its attempts.
final class RetriedPiece: Sendable {
  enum End: Equatable, Sendable { case committed, failed, vetoed, notBegun }

  struct Failed: Error {}

  let id: Int
  let isRefused: Bool
  /// Whether each attempt dispatches an action to the same store.
  let hasFollowUps: Bool
  private let failures: Int
  private let count = Atomic<Int>(0)
  private let wasCancelled = Atomic<Bool>(false)
  private let ignoresCancellation = Atomic<Bool>(false)

  init(_ id: Int, failures: Int, isRefused: Bool = false, hasFollowUps: Bool = false) {
    self.id = id
    self.failures = failures
    self.isRefused = isRefused
    self.hasFollowUps = hasFollowUps
  }

  /// The number of attempts so far.
  var attempts: Int { count.load(ordering: .relaxed) }
  /// Whether an attempt began after another one had found the task canceled.
  var wasRetriedAfterCancellation: Bool { ignoresCancellation.load(ordering: .relaxed) }

  /// The entry of an attempt, or of the action that it dispatches.
  func entry(_ attempt: Int, ofFollowUp: Bool = false) -> Int { id * 1_000 + attempt + (ofFollowUp ? 500 : 0) }

  func attempt(_ entries: inout [Int], followUp: (_ entry: Int) async -> Void) async throws(Failed) {
    let attempt = count.wrappingAdd(1, ordering: .relaxed).newValue
    if wasCancelled.load(ordering: .relaxed) { ignoresCancellation.store(true, ordering: .relaxed) }
    let before = entries
    await Task.yield()
    entries = before + [entry(attempt)]
    if hasFollowUps { await followUp(entry(attempt, ofFollowUp: true)) }
    if Task.isCancelled {
      wasCancelled.store(true, ordering: .relaxed)
      throw Failed()
    }
    if attempt <= failures { throw Failed() }
  }
}

/// Several tasks whose actions fail, are retried, are refused, and are canceled.
struct RetryWorkload: Sendable {
  var hasFollowUps = false
  var cancels = false

  func run<S: RetryingSubject>(on _: S.Type) async throws {
    let store = S()
    let pieces = [
      RetriedPiece(1, failures: 1, hasFollowUps: hasFollowUps), RetriedPiece(2, failures: 0, isRefused: true),
      RetriedPiece(3, failures: 9, hasFollowUps: hasFollowUps),
      RetriedPiece(4, failures: 0, hasFollowUps: hasFollowUps),
    ]
    let canceled = RetriedPiece(5, failures: 9, hasFollowUps: hasFollowUps)
    let tasks = pieces.map { piece in
      Simulation.task(name: "piece \(piece.id)") { await store.run(piece, attempts: 3) }
    }
    var all = pieces
    var ends: [RetriedPiece.End] = []
    if cancels {
      let task = Simulation.task(name: "canceled") { await store.run(canceled, attempts: 6) }
      for _ in 0..<3 { await Task.yield() }
      task.cancel()
      for task in tasks { ends.append(await task.value) }
      ends.append(await task.value)
      all.append(canceled)
    } else {
      for task in tasks { ends.append(await task.value) }
    }
    // It runs after the deferred actions.
    _ = await store.run(RetriedPiece(9, failures: 0), attempts: 1)
    let entries = await store.entries.filter { $0 / 1_000 != 9 }
    try Simulation.expect(ends.prefix(4) == [.committed, .vetoed, .failed, .committed], "the ends are \(ends)")
    var expected: [Int] = []
    for (piece, end) in zip(all, ends) where end == .committed {
      expected.append(piece.entry(piece.attempts))
      if piece.hasFollowUps { expected.append(piece.entry(piece.attempts, ofFollowUp: true)) }
    }
    try Simulation.expect(entries.sorted() == expected.sorted(), "\(entries) instead of \(expected)")
    try Simulation.expect(!canceled.wasRetriedAfterCancellation, "an attempt began after the cancellation")
  }
}
