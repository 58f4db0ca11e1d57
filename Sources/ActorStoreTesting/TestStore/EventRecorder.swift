import ActorStore
import Synchronization

/// Writes down what becomes of a store's actions, as a guard, and tells who waits for it.
final class EventRecorder<State: Sendable>: Guard {
  private struct Notes: Sendable {
    var events = StoreEvents<State>()
    var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastWaiting = 0
  }

  private let notes = Locked(Notes())

  var wantsOldState: Bool { true }

  func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {
    if let old { append(action, .committed(old: old, new: new)) }
  }

  func didFail<A: Action<State>>(_ action: A, error: any Error, state: State) {
    append(action, .failed(error))
  }

  private func append<A: Action<State>>(_ action: A, _ end: StoreEvents<State>.Event.End) {
    let event = StoreEvents<State>.Event(
      describeAction: { describe(action) }, type: ObjectIdentifier(A.self), call: TestStoreCall.current, end: end)
    let waiting = notes.withLock { notes in
      notes.events.append(event)
      return Array(notes.waiting.values)
    }
    for continuation in waiting { continuation.yield() }
  }

  func withEvents<Result: Sendable>(_ body: (inout StoreEvents<State>) -> Result) -> Result {
    notes.withLock { body(&$0.events) }
  }

  /// An element now, and at least one after each event.
  func changes() -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = notes.withLock { notes in
      notes.lastWaiting += 1
      notes.waiting[notes.lastWaiting] = continuation
      return notes.lastWaiting
    }
    continuation.onTermination = { [weak self] _ in self?.notes.withLock { $0.waiting[number] = nil } }
    continuation.yield()
    return changes
  }
}

/// The call of a test store that the current code runs below; no two have the same number, of whichever store.
enum TestStoreCall {
  @TaskLocal static var current: Int?
  private static let last = Atomic<Int>(0)

  static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// What an action is called: a closure by its label.
func describe(_ action: Any) -> String {
  action is any CustomStringConvertible ? "\(action)" : Dump.text(of: action)
}
