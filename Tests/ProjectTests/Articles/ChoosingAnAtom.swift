import Atoms
import Testing

private let draft = Atom("")

private struct Editor {
  @UseAtom(draft) var text
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
    }
  }
}
