import ActorStore
import ActorStoreEvents
import Testing

// The code of the article "Coming from Atom or Reducers".

@Suite struct ComingFromAtomTests {
  struct Todo: EventDriven, ChildState, Identifiable, Equatable {
    enum Event: Sendable { case toggled }

    static let parents: [ParentPath<Todo>] = [.element(of: \App.todos)]

    var id = 0
    var name = ""
    var checked = false

    mutating func react(to event: Event) { checked.toggle() }
  }

  struct App: EventDriven, Equatable {
    enum Event: Sendable { case addTodo(name: String), toggleTodo(key: Int) }

    static let todo = Forwarding(to: \App.todos) { event in
      if case .toggleTodo(let key) = event { .one(key, .toggled) } else { nil }
    }

    var todos: IdentifiedArray<Todo> = []

    mutating func react(to event: Event) {
      switch event {
      case .addTodo(let name): todos.append(Todo(id: todos.count, name: name))
      case .toggleTodo: Self.todo.forward(event, to: &self)
      }
    }
  }

  enum Atom: StoreFacade {
    static func makeDefault() -> Store<App> { Store(App(), guards: [EventsOnly()]) }
  }

  @Test func theTodoAppOfAtomsDocumentation() async throws {
    try await Atom.withStore(Store(App(), guards: [EventsOnly()])) {
      await Atom.dispatch(.addTodo(name: "Milk"))
      Atom.send(.toggleTodo(key: 0))
      let milk = try select(Todo.self, from: await Atom.current.state, 0)
      #expect(milk == Todo(id: 0, name: "Milk", checked: true))
    }
  }

  @Test func aReducerMovesOver() async {
    let store = Store(Tally())
    await store.dispatch([.incremented, .incremented, .decremented])
    #expect(await store.state == Tally(count: 1))
  }
}

private struct Tally: EventDriven, Equatable {
  enum Event: Sendable { case incremented, decremented }

  var count = 0

  mutating func react(to event: Event) { reduce(&self, event) }
}

private func reduce(_ state: inout Tally, _ action: Tally.Event) {
  switch action {
  case .incremented: state.count += 1
  case .decremented: state.count -= 1
  }
}
