import Atoms

#if canImport(SwiftUI)
  import SwiftUI
#endif

// Create a text atom
let textAtom = Atom("")

// Create a derived atom that depends on textAtom.
// Atoms automatically update their state when any of their dependencies change.
let extractedNumbersAtom = DerivedAtom {
  @UseAtomValue(textAtom) var text
  return text.filter {
    $0.isNumber
  }
}

struct ContentView: View {
  // Provide write access to the textAtom
  @UseAtom(textAtom) var text
  // Provide read-only access to the extractedNumbersAtom
  @UseAtomValue(extractedNumbersAtom) var numbers
  var body: some View {
    VStack {
      TextField("", text: $text)
      Text("Extracted numbers: \(numbers)")
    }
  }
}
