import ActorStore
import Synchronization

/// Collects values from concurrent code.
final class Witness<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

  func saw(_ value: Value) {
    values.withLock { $0.append(value) }
  }

  var all: [Value] {
    values.withLock { $0 }
  }
}

/// A flag that concurrent code can set and read.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() {
    value.store(true, ordering: .releasing)
  }
}
