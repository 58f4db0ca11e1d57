import Atoms

#if canImport(SwiftUI)
  import SwiftUI

  // There, `$text` is a `Binding`.
  typealias AtomBinding = Binding
#endif

// The examples of the README of the older Atoms, with its names. They use no asynchronous atoms and no test store.

// MARK: Text

let textAtom = Atom("")

let extractedNumbersAtom = DerivedAtom {
  @UseAtomValue(textAtom) var text
  return text.filter {
    $0.isNumber
  }
}

struct Content {
  @UseAtom(textAtom) var text
  @UseAtomValue(extractedNumbersAtom) var numbers

  var body: String { "Extracted numbers: \(numbers)" }
}

// MARK: Todos

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

// MARK: Atoms in a namespace

enum MyAtoms {
  static let atom = Atom("")
  static let derived = DerivedAtom {
    @UseAtomValue(atom) var someValue
    return someValue.filter {
      $0.isNumber
    }
  }
}

// MARK: Outside views

@MainActor final class ViewController {
  @CaptureAtomPublisher(textAtom) var textPublisher

  private(set) var label = ""

  /// Shows a number of texts.
  func show(_ count: Int) async {
    var left = count
    for await text in textPublisher {
      label += text + ";"
      left -= 1
      if left == 0 { return }
    }
  }
}

let someOtherAtom = Atom("you")
let someAtom = DerivedAtom {
  @UseAtomValue(someOtherAtom) var value: String
  return "Hello " + value
}

// MARK: Elements of a list

struct Person: Equatable, Identifiable, Sendable {
  let id: Int
  var name: String
}

let personsAtom = Atom<[Person]>([Person(id: 1, name: "John"), Person(id: 2, name: "Jane")])

struct Parent {
  @UseAtom(personsAtom) var persons

  var body: [PersonEditor] {
    persons.map { person in
      PersonEditor(
        personAtom: Atom(person).onUpdate(
          skip: 1,
          { newValue in
            guard let index = persons.firstIndex(where: { $0.id == newValue.id }) else {
              return
            }
            persons[index] = newValue
          }))
    }
  }
}

struct PersonEditor {
  @UseAtom var person: Person

  init(personAtom: Atom<Person>) {
    self._person = UseAtom(personAtom)
  }

  /// A field that edits a name, as SwiftUI's `TextField` does with `$person.name`.
  var field: NameField { NameField(name: $person.name) }
}

struct NameField {
  @AtomBinding var name: String
}
