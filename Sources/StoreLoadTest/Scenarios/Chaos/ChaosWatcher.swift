import ActorStore
import Atoms

/// A watcher of an atom, which checks that no value is repeated, and lets a task wait for a value.
final class ChaosWatcher: Sendable {
  private struct State: Sendable {
    var last: Int?
    var count = 0
    var all: [Int]?
    var repeated: Int?
    var wanted: (value: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  /// The number of the watched node.
  let node: Int
  private let state: Locked<State>

  init(_ node: Int, keepsAll: Bool = false) {
    self.node = node
    state = Locked(State(all: keepsAll ? [] : nil))
  }

  var last: Int? { state.withLock { $0.last } }
  var count: Int { state.withLock { $0.count } }
  var all: [Int] { state.withLock { $0.all ?? [] } }
  /// A value that was delivered twice in a row.
  var repeated: Int? { state.withLock { $0.repeated } }

  func saw(_ value: Int) {
    let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.last == value { state.repeated = state.repeated ?? value }
      state.last = value
      state.count += 1
      state.all?.append(value)
      guard state.wanted?.value == value else { return nil }
      return state.wanted.take()?.continuation
    }
    ready?.resume()
  }

  /// Waits until the last value is `value`.
  func reaches(_ value: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.last == value { return true }
        state.wanted = (value, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

/// A stream of values, and the task that follows it.
struct ChaosFollower: Sendable {
  let watcher: ChaosWatcher
  private let task: Task<Void, Never>

  init(_ node: Int, _ values: AsyncStream<Int>, keepsAll: Bool = false) {
    let watcher = ChaosWatcher(node, keepsAll: keepsAll)
    self.watcher = watcher
    task = Task.detached { for await value in values { watcher.saw(value) } }
  }

  /// Ends the stream, and waits until the task has ended.
  func end() async {
    task.cancel()
    await task.value
  }
}

extension ReadableAtom {
  /// Waits until the value of the atom in the current store meets a condition.
  func reaches(_ condition: (Value) -> Bool) async {
    for await value in values where condition(value) { return }
  }
}
