import Synchronization

/// A number that several tasks add to.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)

  var total: Int { value.load(ordering: .relaxed) }

  func add(_ more: Int) {
    value.wrappingAdd(more, ordering: .relaxed)
  }
}
