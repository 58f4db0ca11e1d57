import Atoms
import Testing

let clicksAtom = Atom(0)
let doubledAtom = DerivedAtom { clicksAtom.value * 2 }
let todoAtom = AtomFamily { (id: Int) in Atom("todo \(id)") }

private struct Clicks {
  @UseAtom(clicksAtom) var count
  @UseAtomValue(doubledAtom) var doubled

  func add() { _count.wrappedValue += 1 }
}

/// The example of ComingFromJotai.md.
@Suite struct ComingFromJotaiTests {
  @Test func theExamplePrintsThis() {
    AtomStore().callAsCurrent {
      let clicks = Clicks()
      clicks.add()
      print(clicks.count, clicks.doubled, todoAtom(1).value)  // 1 2 todo 1
      #expect((clicks.count, clicks.doubled, todoAtom(1).value) == (1, 2, "todo 1"))
    }
  }
}
