import ActorStoreTesting
import Synchronization

/// Tells its observers after the turn has been handed on: they may hear of a later state first.
final class LateNotifyingStore: GatedStore {
  let cell = Cell()
  private let gate = Mutex(Gate())

  init(name: String) {}

  func enter() async -> Bool {
    if let waiter = gate.withLock({ $0.waiter() }) { await waiter.wait() }
    return true
  }

  func leave() {
    gate.withLock { $0.handOver() }?.signal()
  }

  func dispatch(_ work: Work<LateNotifyingStore>) async -> Effect {
    guard !Task.isCancelled, await enter() else { return .notApplied }
    guard let log = await result(of: work) else {
      leave()
      return .notApplied
    }
    cell.log = log
    leave()
    await Task.yield()
    cell.observers.notify(log.prefix)
    return .applied
  }
}
