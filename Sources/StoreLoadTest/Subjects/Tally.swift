import Synchronization

/// A total to which concurrent tasks add.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)

  var total: Int { value.load(ordering: .relaxed) }

  func add(_ more: Int) {
    value.wrappingAdd(more, ordering: .relaxed)
  }

  /// Adds one, and returns the new total, which no other call returns.
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
