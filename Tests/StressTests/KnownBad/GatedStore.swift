import ActorStoreTesting
import ActorStore

/// A store in which each caller enters through a gate, changes a draft, commits it, and leaves.
///
/// Each known-bad store has a flaw in one or two of these steps.
protocol GatedStore: Subject {
  var cell: Cell { get }

  /// Waits for the turn, and returns `false` if the task is canceled first.
  func enter() async -> Bool
  func leave()
}

/// The committed state and its observers.
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

  /// Runs the work on a draft, and returns the draft, or `nil` if the work fails.
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

/// A place to wait for a signal, which keeps a signal that arrives early.
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

  /// Signals a waiting call, and loses the signal if no call waits.
  func signalIfWaiting() {
    state.withLock { $0.continuation.take() }?.resume()
  }
}

/// Whether the turn is taken, and the queue of waiters.
struct Gate: Sendable {
  var isTaken = false
  var waiters: [Waiter] = []

  /// Takes the turn and returns `nil` if the turn is free; otherwise, returns a new waiter in the queue.
  mutating func waiter() -> Waiter? {
    if !isTaken {
      isTaken = true
      return nil
    }
    waiters.append(Waiter())
    return waiters.last
  }

  /// Returns the next waiter, or frees the turn if there is none.
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

/// A store that gives turns to its callers one at a time, first come, first served.
///
/// Known-bad stores implement `dispatch`, `enter`, or `leave` differently.
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
