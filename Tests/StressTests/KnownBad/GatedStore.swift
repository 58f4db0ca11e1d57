import ActorStoreTesting
import ActorStore

/// A store made of a state and a gate: whoever is let in works on a draft, commits and leaves.
///
/// What is wrong with each of the known-bad stores is how it lets in and out.
protocol GatedStore: Subject {
  var cell: Cell { get }

  /// Waits for the turn; false when it was cancelled before.
  func enter() async -> Bool
  func leave()
}

/// The committed state, and who is told of it.
final class Cell: Sendable {
  let observers = Observers()
  private let value = Locked(OrderLog<Int>())

  var log: OrderLog<Int> {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension GatedStore {
  func dispatch(_ work: Work<Self>) async -> Effect {
    guard !Task.isCancelled, await enter() else { return .notApplied }
    defer { leave() }
    guard let log = await result(of: work) else { return .notApplied }
    cell.log = log
    cell.observers.notify(log.prefix)
    return .applied
  }

  /// What the work makes of the state; nil when it fails.
  func result(of work: Work<Self>) async -> OrderLog<Int>? {
    var draft = cell.log
    for _ in 0..<work.suspensions { await Task.yield() }
    await work.inside()
    draft.append(work.id)
    return work.ending == .append ? draft : nil
  }

  var log: OrderLog<Int> { cell.log }

  func observe(_ observer: @escaping @Sendable (OrderPrefix) -> Void) {
    cell.observers.add(observer)
  }

  func close() {}
}

/// A place to wait for a signal; one that comes early is kept.
final class Waiter: Sendable {
  private struct State {
    var signals = 0
    var continuation: CheckedContinuation<Void, Never>?
  }

  let priority = Task.currentPriority
  private let state = Locked(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isSignalled = state.withLock { state in
        if state.signals > 0 {
          state.signals -= 1
          return true
        }
        state.continuation = continuation
        return false
      }
      if isSignalled { continuation.resume() }
    }
  }

  func signal() {
    let continuation = state.withLock { state in
      if state.continuation == nil { state.signals += 1 }
      return state.continuation.take()
    }
    continuation?.resume()
  }

  /// A signal that nobody waits for is lost.
  func signalIfWaiting() {
    state.withLock { $0.continuation.take() }?.resume()
  }
}

/// Who is let in, and who waits.
struct Gate: Sendable {
  var isTaken = false
  var waiters: [Waiter] = []

  /// A waiter, unless the turn is free, and then it is taken.
  mutating func waiter() -> Waiter? {
    if !isTaken {
      isTaken = true
      return nil
    }
    waiters.append(Waiter())
    return waiters.last
  }

  /// Who has the turn next; free if nobody.
  mutating func handOver() -> Waiter? {
    if waiters.isEmpty {
      isTaken = false
      return nil
    }
    return waiters.removeFirst()
  }
}

/// A gate shared by the callers of a store.
final class SharedGate: Sendable {
  private let gate = Locked(Gate())

  func withLock<Result: Sendable>(_ body: (inout Gate) -> Result) -> Result {
    gate.withLock { body(&$0) }
  }
}

/// A store that lets in and out one by one, first come, first served; the wrong ones have a way of their own of one.
protocol QueuedStore: GatedStore {
  var gate: SharedGate { get }
}

extension QueuedStore {
  func enter() async -> Bool {
    if let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
    return true
  }

  func leave() {
    gate.withLock { $0.handOver() }?.signal()
  }
}
