import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

#if canImport(SwiftUI)
  import SwiftUI

  // There, `$text` is a `Binding`.
  typealias AtomBinding = Binding
#endif

// The examples of ComingFromAtoms.md.

// Create a text atom
let textAtom = Atom("")

// Create a derived atom that depends on textAtom.
let extractedNumbersAtom = DerivedAtom {
  @UseAtomValue(textAtom) var text
  return text.filter {
    $0.isNumber
  }
}

private struct Content {
  // Provide write access to the textAtom
  @UseAtom(textAtom) var text
  // Provide read-only access to the extractedNumbersAtom
  @UseAtomValue(extractedNumbersAtom) var numbers

  var body: String { "Extracted numbers: \(numbers)" }
}

private enum MyAtoms {
  static let atom = Atom("")
  static let derived = DerivedAtom {
    @UseAtomValue(atom) var someValue
    return someValue.filter {
      $0.isNumber
    }
  }
}

private struct Person: Equatable, Identifiable, Sendable {
  let id: Int
  var name: String
}

private let personsAtom = Atom<[Person]>([Person(id: 1, name: "John"), Person(id: 2, name: "Jane")])

private struct Parent {
  @UseAtom(personsAtom) var persons

  var body: [PersonEditor] {
    persons.map { person in
      PersonEditor(
        personAtom: Atom(person).onUpdate(skip: 1) { newValue in
          guard let index = persons.firstIndex(where: { $0.id == newValue.id }) else {
            return
          }
          persons[index] = newValue
        })
    }
  }
}

private struct PersonEditor {
  @UseAtom var person: Person

  init(personAtom: Atom<Person>) {
    self._person = UseAtom(personAtom)
  }

  /// A field that edits a name, as SwiftUI's `TextField` does with `$person.name`.
  var field: NameField { NameField(name: $person.name) }
}

private struct NameField {
  @AtomBinding var name: String
}

private struct Todo: Equatable, Sendable {
  var name: String
  var completed = false
}

private enum FilterOption: Sendable { case all, completed, uncompleted }

private let todosAtom = Atom<[Todo]>([])
private let filterTodosOptionAtom = Atom(FilterOption.all)
private let filteredTodosAtom = DerivedAtom {
  @UseAtomValue(todosAtom) var todos
  @UseAtomValue(filterTodosOptionAtom) var option
  switch option {
  case .all: return todos
  case .completed: return todos.filter(\.completed)
  case .uncompleted: return todos.filter { !$0.completed }
  }
}

struct Dog: Equatable, Sendable { var name: String }

struct API: Sendable { var searchDogs: @Sendable (String) async throws -> [Dog] }

let searchTextAtom = Atom("")
let apiAtom = Atom(API(searchDogs: { _ in [] }))

let dogsAtom = AsyncAtom<[Dog]> {
  @UseAtomValue(searchTextAtom, debounce: 0.3) var searchText
  @UseAtomValue(apiAtom) var api
  return try await api.searchDogs(searchText)
}

struct SearchDogs {
  @UseAtom(searchTextAtom) var searchText
  @UseAtomValue(dogsAtom) var dogsState

  var body: String {
    switch dogsState {
    case .loading: "..."
    case .success(let dogs): dogs.map(\.name).joined(separator: ", ")
    case .failure(let error): "\(error)"
    }
  }

  func tryAgain() { dogsAtom.reload() }
}

@Suite struct ComingFromAtomsTests {
  @Test func theExamplesWork() {
    AtomStore().callAsCurrent {
      let content = Content()
      content.text = "a1b2"
      #expect(content.body == "Extracted numbers: 12")
      let parent = Parent()
      parent.body[1].field.name = "Janet"
      #expect(parent.persons.map(\.name) == ["John", "Janet"])
      MyAtoms.atom.value = "3c"
      #expect(MyAtoms.derived.value == "3")
    }
  }

  @MainActor
  @Test func testDogsSuccess() async throws {
    let mock: [Dog] = [.init(name: "Pluto"), .init(name: "Lassie")]
    try await TestStore { store in
      store.inject(apiAtom) {
        .init(searchDogs: { _ in
          return mock
        })
      }
      @CaptureAtomValue(dogsAtom) var dogsState: AsyncState<[Dog]>
      @CaptureAtom(searchTextAtom) var searchText: String
      searchText = "Foo"
      try await expectEqual(dogsState, .success(mock))
    }
  }

  @MainActor
  @Test func testFilterCompletedTodos() async throws {
    try await TestStore { store in
      let firstMock = Todo(name: "Todo1")
      let secondMock = Todo(name: "Todo2", completed: true)
      let mock: [Todo] = [firstMock, secondMock]
      store.inject(todosAtom) {
        return mock
      }
      @CaptureAtom(filterTodosOptionAtom) var filterTodosOption: FilterOption
      @CaptureAtomValue(filteredTodosAtom) var filteredTodos: [Todo]
      filterTodosOption = .completed
      try await expectEqual(filteredTodos, [secondMock])
    }
  }
}
