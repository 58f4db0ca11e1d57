/// A waiter to resume, and the priority that it gets first.
struct Resumption<Waiter: Sendable>: Sendable {
  let waiter: Waiter
  /// The highest priority of the waiting calls, or `nil` if none is higher than the waiter's own.
  let lentPriority: UInt8?
}

extension Resumption: Equatable, Hashable where Waiter: Hashable {}
