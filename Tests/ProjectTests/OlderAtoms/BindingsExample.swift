import Atoms
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

// Two examples declare these names.
private let personsAtom = Atom<[Person]>([Person(name: "John", age: 26)])

private struct ParentView: View {
  @UseAtom(personsAtom) var persons
  var body: some View {
    List($persons) { $person in
      PersonView(person: $person)
    }
  }
}

private struct PersonView: View {
  @Binding var person: Person
  var body: some View {
    TextField("Name", text: $person.name)
  }
}

#if !canImport(SwiftUI)
  @Suite struct OlderBindingsTests {
    @Test @MainActor func theFieldChangesTheElement() {
      AtomStore().callAsCurrent {
        personsAtom.value.append(Person(name: "Jane", age: 30))
        let screen = Screen(ParentView())
        #expect(screen.fields.map(\.title) == ["Name", "Name"] && screen.fields.map(\.text) == ["John", "Jane"])
        screen.fields[1].text = "Janet"
        #expect(personsAtom.value.map(\.name) == ["John", "Janet"] && screen.fields[1].text == "Janet")
      }
      #expect(personsAtom.value.map(\.name) == ["John"])
    }
  }
#endif
