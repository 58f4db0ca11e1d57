@testable import ActorStore

/// Suspends each waiting task until the gate is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Holds the turn until a test opens a gate.
struct Hold: Action {
  let begun: Gate
  let end: Gate

  init(begun: Gate = Gate(), until end: Gate) {
    self.begun = begun
    self.end = end
  }

  func run(_ log: inout Log) async {
    begun.open()
    await end.wait()
    log.entries.append(0)
  }
}

extension Store {
  /// Lets other tasks run until this many actions wait for their turn.
  func waitUntilQueued(_ count: Int) async {
    while queue.queuedCount < count { await Task.yield() }
  }
}

extension StoreDiagnostics {
  /// Whether an action has the turn or overlaps other actions.
  var isBusy: Bool { holder != nil || !overlapping.isEmpty }
}
