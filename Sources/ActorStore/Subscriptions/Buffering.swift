/// The items to keep for a subscriber that is behind.
package enum Buffering: Hashable, Sendable {
  case unbounded
  case newest(Int)
  case oldest(Int)
}

extension Buffering {
  package init<State>(_ policy: AsyncStream<State>.Continuation.BufferingPolicy) {
    switch policy {
    case .unbounded:
      self = .unbounded
    case .bufferingNewest(let count):
      if count < 1 {
        fatalError(
          """
          ActorStore: bufferingPolicy .bufferingNewest(\(count)) would drop every element, including the last. Keep at \
          least 1.
          """)
      }
      self = .newest(count)
    case .bufferingOldest(let count):
      if count < 1 {
        fatalError("ActorStore: bufferingPolicy .bufferingOldest(\(count)) would drop every element. Keep at least 1.")
      }
      self = .oldest(count)
    @unknown default:
      self = .unbounded
    }
  }
}
