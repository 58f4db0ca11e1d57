import Atoms
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

// Two examples declare these names.
private let personsAtom = Atom<[Person]>([Person(name: "John", age: 26)])

// The lines are those of the README.
// swift-format-ignore
private struct ParentView: View {
  @UseAtom(personsAtom) var persons
  var body: some View {
    List(persons) { person in
      PersonView(personAtom: Atom(person).onUpdate(skip: 1, { newValue in
        // The closure runs where the atom is set, maybe on another thread. The property belongs to the main actor.
        @CaptureAtom(personsAtom) var persons
        guard let index = persons.firstIndex(where: { $0.id == newValue.id }) else {
          return
        }
        persons[index] = newValue
      }))
    }
  }
}

private struct PersonView: View {
  @UseAtom var person: Person
  init(personAtom: Atom<Person>) {
    self._person = UseAtom(personAtom)
  }
  var body: some View {
    TextField("Name", text: $person.name)
  }
}

#if !canImport(SwiftUI)
  @Suite struct OlderNewAtomsTests {
    @Test @MainActor func theFieldChangesItsAtomAndTheElement() {
      AtomStore().callAsCurrent {
        personsAtom.value.append(Person(name: "Jane", age: 30))
        let view = ParentView()
        let screen = Screen(view)
        screen.fields[1].text = "Janet"
        #expect(screen.fields.map(\.text) == ["John", "Janet"])
        #expect(personsAtom.value.map(\.name) == ["John", "Janet"] && personsAtom.value.map(\.age) == [26, 30])
        withExtendedLifetime(view) {}
      }
    }
  }
#endif
