import Synchronization

/// Collects values that are seen inside a simulation.
final class Witness<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func saw(_ value: Value) {
    values.withLock { $0.append(value) }
  }

  var all: [Value] { values.withLock { $0 } }
}
