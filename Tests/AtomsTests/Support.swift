import Synchronization

/// A counter that closures of atoms can increment.
final class Tally: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }

  func reset() { count.store(0, ordering: .relaxed) }
}

/// Values in the order in which closures append them.
final class Log<Value: Sendable>: Sendable {
  private let entries = Mutex<[Value]>([])

  var all: [Value] { entries.withLock { $0 } }

  func append(_ value: Value) { entries.withLock { $0.append(value) } }
}
