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

  /// Releases all values, which may form a cycle with the witness.
  func clear() {
    let all = values.withLock { values in
      defer { values = [] }
      return values
    }
    withExtendedLifetime(all) {}
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
