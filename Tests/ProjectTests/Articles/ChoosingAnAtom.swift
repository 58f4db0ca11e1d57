import Atoms
import Testing

private let draft = Atom("")

private struct Editor {
  @UseAtom(draft) var text
}

private struct Note: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private let notesAtom = Atom([Note(id: 1, title: "Read"), Note(id: 2, title: "Write")])
private let noteAtoms = notesAtom.split(id: \.id)

private struct NoteList {
  @UseAtom(notesAtom) var notes

  func shout() {
    for note in $notes.elements { note.title.wrappedValue += "!" }
  }
}

/// The examples of ChoosingAnAtom.md.
@Suite struct ChoosingAnAtomTests {
  @Test func theExamplesDoWhatTheArticleSays() {
    AtomStore().callAsCurrent {
      let celsius = Atom(20.0)
      let fahrenheit = GetSetAtom {
        celsius.value * 9 / 5 + 32
      } set: {
        celsius.value = ($0 - 32) * 5 / 9
      }
      let percent = WillSetAtom(0) { min(max($0, 0), 100) }
      fahrenheit.value = 212
      percent.value = 300
      #expect(celsius.value == 100 && percent.value == 100)
      do {
        let editor = Editor()
        editor.text = "Hello"
        #expect(draft.value == "Hello")
        withExtendedLifetime(editor) {}
      }
      #expect(draft.value == "")
      noteAtoms(2).value?.title = "Draw"
      print(notesAtom.value[1].title)  // Draw
      #expect(notesAtom.value.map(\.title) == ["Read", "Draw"])
      let list = NoteList()
      list.shout()
      #expect(noteAtoms.ids.value.map { noteAtoms($0).value?.title } == ["Read!", "Draw!"])
      withExtendedLifetime(list) {}
    }
  }
}
