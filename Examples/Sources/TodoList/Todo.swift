import Atoms

/// Something to do.
package struct Todo: Identifiable, Equatable, Sendable {
  package let id: Int
  package var title: String
  package var isDone = false

  package init(id: Int, title: String, isDone: Bool = false) {
    self.id = id
    self.title = title
    self.isDone = isDone
  }
}

/// The items that the list shows.
package enum TodoFilter: String, CaseIterable, Sendable {
  case all, active, done

  func shows(_ todo: Todo) -> Bool {
    switch self {
    case .all: true
    case .active: !todo.isDone
    case .done: todo.isDone
    }
  }
}

/// All items, in the order in which they were added.
package let todosAtom = Atom<[Todo]>([])

/// The filter that the user has chosen.
package let todoFilterAtom = Atom(TodoFilter.all)

/// The text that the titles of the shown items contain.
package let todoSearchAtom = WillSetAtom("") { $0.lowercased() }

/// The items that the list shows.
package let shownTodosAtom = DerivedAtom {
  @UseAtomValue(todoFilterAtom) var filter
  @UseAtomValue(todoSearchAtom) var search
  return todosAtom.value.filter { todo in
    filter.shows(todo) && (search.isEmpty || todo.title.lowercased().contains(search))
  }
}

/// The number of items that are not done, whatever the list shows.
package let openTodosAtom = DerivedAtom { todosAtom.value.count { !$0.isDone } }

/// The text on the screen.
package let todoScreenAtom = DerivedAtom {
  @UseAtomValue(todoFilterAtom) var filter
  @UseAtomValue(todoSearchAtom) var search
  let lines = shownTodosAtom.value.map { "\($0.id). [\($0.isDone ? "x" : " ")] \($0.title)" }
  let heading =
    "\(openTodosAtom.value) open, showing \(filter.rawValue)" + (search.isEmpty ? "" : " with \"\(search)\"")
  return ([heading] + lines).joined(separator: "\n")
}
