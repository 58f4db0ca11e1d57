import Atoms
import Foundation

// Declarations that the README of the older Atoms uses but does not show.

struct Dog: Equatable, Identifiable, Sendable {
  var name: String

  var id: String { name }
}

struct API: Sendable {
  var searchDogs: @Sendable (String) async throws -> [Dog]
}

struct Todo: Equatable, Sendable {
  var name: String
  var completed = false
}

enum FilterOption: Sendable { case all, completed, uncompleted }

let todosAtom = Atom<[Todo]>([])
let filterTodosOptionAtom = Atom(FilterOption.all)
let filteredTodosAtom = DerivedAtom {
  @UseAtomValue(todosAtom) var todos
  @UseAtomValue(filterTodosOptionAtom) var option
  switch option {
  case .all: return todos
  case .completed: return todos.filter(\.completed)
  case .uncompleted: return todos.filter { !$0.completed }
  }
}

let someOtherAtom = Atom("you")

struct Person: Equatable, Identifiable, Sendable {
  let id = UUID()
  var name: String
  var age: Int
}
