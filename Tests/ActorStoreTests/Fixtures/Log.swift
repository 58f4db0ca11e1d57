import Synchronization

@testable import ActorStore

/// A state that remembers in which order it was changed.
struct Log: Sendable, Equatable {
  var entries: [Int] = []
}

/// Appends in one step.
struct Append: Mutation {
  let entry: Int

  init(_ entry: Int) {
    self.entry = entry
  }

  func run(_ log: inout Log) -> Int {
    log.entries.append(entry)
    return log.entries.count
  }
}

/// Appends with a suspension between reading and writing: loses an update where two run at once.
struct SlowAppend: Action {
  let entry: Int

  init(_ entry: Int) {
    self.entry = entry
  }

  func run(_ log: inout Log) async -> Int {
    let before = log.entries
    await Task.yield()
    log.entries = before + [entry]
    return log.entries.count
  }
}

struct Boom: Error, Equatable {
  var code = 0
}

/// Changes half of the state and throws.
struct FailHalfway: Action {
  func run(_ log: inout Log) async throws(Boom) {
    log.entries.append(-1)
    await Task.yield()
    throw Boom()
  }
}

struct FailingMutation: Mutation {
  func run(_ log: inout Log) throws(Boom) {
    log.entries.append(-1)
    throw Boom()
  }
}

/// A place to put things seen by concurrent code.
final class Witness<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func saw(_ value: Value) {
    values.withLock { $0.append(value) }
  }

  var all: [Value] {
    values.withLock { $0 }
  }
}

/// Set once, seen by all.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() {
    value.store(true, ordering: .releasing)
  }
}

/// Holds whoever waits until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

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

/// Waits behind a gate, so that the turn is held for as long as a test likes.
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
    while line.queuedCount < count { await Task.yield() }
  }
}
