import ActorStore
import Synchronization

/// A place to put things seen by concurrent code.
final class Witness<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

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
