import ActorStoreEvents

/// The app of an earlier system's documentation: a list of entries that can be checked.
struct TodoApp: EventDriven, Equatable {
  enum Event: Sendable, Equatable {
    case added(String)
    case cleared
    case todo(Int, Todo.Event)
    case all(Todo.Event)
    case filter(Filter.Event)
  }

  static let todo = Forwarding(to: \TodoApp.todos) { event in
    switch event {
    case .todo(let id, let event): .one(id, event)
    case .all(let event): .all(event)
    case .added, .cleared, .filter: nil
    }
  }

  static let filter = Forwarding(to: \TodoApp.filter, missing: .created) { event in
    if case .filter(let event) = event { event } else { nil }
  }

  var todos: [Todo] = []
  var filter: Filter?

  mutating func react(to event: Event) {
    switch event {
    case .added(let name): todos.append(Todo(id: todos.count, name: name))
    case .cleared: todos = []
    case .todo, .all: Self.todo.forward(event, to: &self)
    case .filter: Self.filter.forward(event, to: &self)
    }
  }
}

struct Todo: EventDriven, Equatable, Identifiable {
  enum Event: Sendable, Equatable { case toggled, renamed(String) }

  var id = 0
  var name = ""
  var isDone = false

  mutating func react(to event: Event) {
    switch event {
    case .toggled: isDone.toggle()
    case .renamed(let name): self.name = name
    }
  }
}

struct Filter: EventDriven, Equatable {
  enum Event: Sendable, Equatable { case changed(String) }

  var text = ""

  mutating func react(to event: Event) {
    switch event {
    case .changed(let text): self.text = text
    }
  }
}

/// A state that refuses events.
struct Account: EventDriven, Equatable {
  enum Event: Sendable, Equatable { case deposited(Int), withdrew(Int) }
  struct Overdrawn: Error, Equatable { let amount: Int }

  var balance = 0

  mutating func react(to event: Event) throws(Overdrawn) {
    switch event {
    case .deposited(let amount): balance += amount
    case .withdrew(let amount):
      balance -= amount
      if balance < 0 { throw Overdrawn(amount: -balance) }
    }
  }
}
