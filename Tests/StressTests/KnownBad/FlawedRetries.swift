import ActorStore

/// A flaw in the way that a store retries actions.
protocol RetryFlaw: Sendable {
  static var vetoesLate: Bool { get }
  static var losesRestore: Bool { get }
  static var ignoresCancellation: Bool { get }
}

extension RetryFlaw {
  static var vetoesLate: Bool { false }
  static var losesRestore: Bool { false }
  static var ignoresCancellation: Bool { false }
}

/// Has only the flaw of every such store: it runs the actions that a failed attempt dispatched.
enum KeepingFollowUps: RetryFlaw {}

/// Refuses an action after it has run, and commits its draft.
enum VetoingLate: RetryFlaw {
  static var vetoesLate: Bool { true }
}

/// Runs an action again on the draft of the failed attempt.
enum LosingRestore: RetryFlaw {
  static var losesRestore: Bool { true }
}

/// Runs an action again although its task is canceled.
enum IgnoringCancellation: RetryFlaw {
  static var ignoresCancellation: Bool { true }
}

/// A store that refuses and retries inside its actions, without middleware, and with a flaw.
struct FlawedRetries<Flaw: RetryFlaw>: RetryingSubject {
  private let store = Store([Int]())

  init() {}

  func run(_ piece: RetriedPiece, attempts: Int) async -> RetriedPiece.End {
    (try? await store.dispatch(Run(store: store, piece: piece, attempts: attempts)))?.output ?? .failed
  }

  var entries: [Int] {
    get async { await store.state }
  }

  private struct Run: Action {
    let store: Store<[Int]>
    let piece: RetriedPiece
    let attempts: Int

    func run(_ entries: inout [Int]) async throws(RetriedPiece.Failed) -> RetriedPiece.End {
      if piece.isRefused && !Flaw.vetoesLate { return .vetoed }
      for attempt in 1...attempts {
        let before = entries
        do throws(RetriedPiece.Failed) {
          try await piece.attempt(&entries) { entry in await store.dispatch { $0.append(entry) } }
          return piece.isRefused ? .vetoed : .committed
        } catch {
          if attempt == attempts || Task.isCancelled && !Flaw.ignoresCancellation { throw error }
          if !Flaw.losesRestore { entries = before }
        }
      }
      return .committed
    }
  }
}
