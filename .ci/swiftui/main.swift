import Atoms
import Observation
import SwiftUI

struct Person: Sendable, Equatable { var name = "Ada" }

let personAtom = Atom(Person())
let lengthAtom = DerivedAtom { personAtom.value.name.count }

struct PersonView: View {
  @UseAtom(personAtom) var person
  @UseAtomValue(lengthAtom) var length

  var text: String { "\(person.name) \(length)" }
  var body: Never { fatalError("a primitive view has no body") }

  /// Does what SwiftUI does before it draws the view.
  mutating func update() {
    _person.update()
    _length.update()
  }
}

@MainActor func draw(_ view: PersonView, _ onChange: @escaping @Sendable () -> Void) -> String {
  withObservationTracking {
    view.text
  } onChange: {
    onChange()
  }
}

/// Draws a view until its text is the expected one, each time after a change.
@MainActor func expect(_ text: String, _ view: PersonView) async {
  while true {
    let (changes, change) = AsyncStream<Void>.makeStream()
    if draw(view, { change.finish() }) == text { return }
    for await _ in changes {}
  }
}

var view = PersonView()
view.update()
view.update()
await expect("Ada 3", view)
let (changes, change) = AsyncStream<Void>.makeStream()
_ = draw(view) { change.finish() }
view.$person.name.wrappedValue = "Grace"
precondition(personAtom.value.name == "Grace")
for await _ in changes {}
await expect("Grace 5", view)
_ = view.enableAtomLogging()
print("all checks passed")
