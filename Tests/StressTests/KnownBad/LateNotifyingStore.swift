import ActorStoreTesting

/// Notifies its observers after handing off the turn, so they may see a later state first.
final class LateNotifyingStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}

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
