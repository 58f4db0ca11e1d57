/// Admits every caller immediately, as an actor does during a suspension, which causes lost updates.
final class ReentrantStore: GatedStore {
  let cell = Cell()

  init(name: String) {}

  func enter() async -> Bool { true }

  func leave() {}
}
