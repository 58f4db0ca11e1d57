import ActorStoreEvents

/// One item.
struct Todo: EventDriven, Equatable, Identifiable {
  enum Event: Sendable { case toggled }

  var id = 0
  var title = ""
  var isDone = false

  mutating func react(to event: Event) { isDone.toggle() }
}
