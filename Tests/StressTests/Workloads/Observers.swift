import ActorStoreTesting
import ActorStore

/// The closures to call with each committed state.
final class Observers: Sendable {
  private let all = Locked<[@Sendable (OrderPrefix) -> Void]>([])

  func add(_ observer: @escaping @Sendable (OrderPrefix) -> Void) {
    all.withLock { $0.append(observer) }
  }

  func notify(_ prefix: OrderPrefix) {
    for observer in all.withLock({ $0 }) { observer(prefix) }
  }
}
