import ActorStore
import ActorStoreEvents
import Testing

struct Basket: EventDriven, Equatable {
  enum Event: Sendable { case added(String), line(Int, Line.Event) }

  static let line = Forwarding(to: \Basket.lines) { event in
    if case .line(let id, let event) = event { .one(id, event) } else { nil }
  }

  var lines: IdentifiedArray<Line> = []

  mutating func react(to event: Event) {
    switch event {
    case .added(let name): lines.append(Line(id: lines.count, name: name))
    case .line: Self.line.forward(event, to: &self)
    }
  }
}

struct Line: EventDriven, Identifiable, Equatable {
  enum Event: Sendable { case doubled }

  var id = 0
  var name = ""
  var count = 1

  mutating func react(to event: Event) { count *= 2 }
}

private func events() async {
  let store = Store(Basket(), guards: [EventsOnly()])
  await store.dispatch(.added("tea"))
  store.send(.line(0, .doubled))
  print(await store.state.lines[id: 0]?.count ?? 0)  // 2
  await store.dispatch { $0.lines = [] }  // .vetoed, because only events change this store
}

@Suite struct EventsExampleTests {
  @Test func runs() async { await events() }
}
