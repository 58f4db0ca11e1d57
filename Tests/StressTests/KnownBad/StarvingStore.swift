import ActorStore

/// Polls until the turn is free, so an unlucky caller may poll forever.
final class StarvingStore: GatedStore {
  let cell = Cell()
  private let isTaken = Locked(false)

  init(name: String) {}

  func enter() async -> Bool {
    while isTaken.withLock({ isTaken in
      defer { isTaken = true }
      return isTaken
    }) {
      await Task.yield()
    }
    return true
  }

  func leave() {
    isTaken.withLock { $0 = false }
  }
}
