import ActorStore
import Synchronization

/// A counter without turns, which runs other calls during each suspension, as every actor does.
actor ReentrantCounter {
  private(set) var value = 0

  func increment() async {
    let before = value
    await Task.yield()
    value = before + 1
  }
}

/// A lock that suspends its callers, and does not detect deadlocks.
final class NaiveLock: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        defer { state.isTaken = true }
        if state.isTaken { state.waiting.append(continuation) }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.isTaken = false }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}

struct Account: Equatable, Sendable {
  var balance = 0
}

/// Waits inside its turn for a task that is not nested in it.
///
/// No store can see this wait. If the task needs the turn, both deadlock.
struct Settle: Action {
  let loading: Task<Void, Never>

  func run(_ account: inout Account) async {
    await loading.value
    account.balance += 1
  }
}

struct Deposit: Action {
  func run(_ account: inout Account) async {
    account.balance += 1
  }
}
