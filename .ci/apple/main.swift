import ActorStore
import ActorStoreEvents
import ActorStoreHistory
import Atoms
import Combine
import Observation
import SwiftUI
import os

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

/// A view that only passes on a binding.
struct FieldView: View {
  @UseAtom(personAtom) var person

  var name: Binding<String> { $person.name }
  var body: Never { fatalError("a primitive view has no body") }

  mutating func update() { _person.update() }
}

var field = FieldView()
field.update()
let (fieldChanges, fieldChange) = AsyncStream<Void>.makeStream()
let name = withObservationTracking {
  field.name
} onChange: {
  fieldChange.finish()
}
personAtom.value.name = "Edsger"
for await _ in fieldChanges {}
precondition(name.wrappedValue == "Edsger")

// Bindings to elements.

struct Item: Identifiable, Sendable {
  let id: Int
  var name: String
}

let itemsAtom = Atom([Item(id: 1, name: "a"), Item(id: 2, name: "b")])
do {
  @UseAtom(itemsAtom) var items
  let rows: [Binding<Item>] = $items.elements
  precondition(rows.map(\.id) == [1, 2])
  items.reverse()
  rows[0].name.wrappedValue = "A"
  $items.element(id: 2)?.name.wrappedValue = "B"
  precondition(items.map(\.name) == ["B", "A"] && rows.map(\.wrappedValue.name) == ["A", "B"])
  items.removeAll()
  // The store only prints a warning.
  rows[0].wrappedValue.name = "late"
  precondition(items.isEmpty && rows[0].wrappedValue.name == "A")
}
do {
  let itemAtoms = itemsAtom.split(id: \.id)
  @UseAtom(itemsAtom) var items
  items = [Item(id: 1, name: "a")]
  @UseAtom(itemAtoms(1)) var item
  let name = $item.unwrapped()?.name
  name?.wrappedValue = "A"
  items = items.filter { $0.name != "A" }
  precondition(items.isEmpty && item.map(\.name) == nil && name?.wrappedValue == "A")
}

/// A view whose text follows an atom after a quiet period.
struct LateView: View {
  @UseAtomValue(personAtom, debounce: 0.2) var person

  var body: Never { fatalError("a primitive view has no body") }

  mutating func update() { _person.update() }
}

var late = LateView()
late.update()
precondition(late.person.name == "Edsger")
// The first value counts at once, in a run that these let end.
for _ in 0..<100 { await Task.yield() }
personAtom.value.name = "Barbara"
while true {
  let (changes, change) = AsyncStream<Void>.makeStream()
  let name = withObservationTracking {
    late.person.name
  } onChange: {
    change.finish()
  }
  if name == "Barbara" { break }
  for await _ in changes {}
}

// Combine.

final class Settings: ObservableObject, @unchecked Sendable {
  let objectWillChange = ObservableObjectPublisher()
  @Published var volume = 1
  var name = "a"

  func rename(_ name: String) {
    objectWillChange.send()
    self.name = name
  }
}

/// Waits for a value of an atom.
func expect<Value: Equatable & Sendable>(_ expected: Value, _ atom: some ReadableAtom<Value>) async {
  for await value in atom.values where value == expected { return }
}

let settings = Settings()
let settingsAtom = ObservableObjectAtom(settings).debugLabel("settings")
let nameAtom = DerivedAtom { settingsAtom.value.name }
let volumeAtom = PublishedAtom(initialValue: 0, publisher: settings.$volume)
let volumeStateAtom = PublisherAtom { settings.$volume }
let uses = (UseAtomValue(nameAtom), UseAtomValue(volumeAtom), UseAtomValue(volumeStateAtom))
await expect("a", nameAtom)
// One is the atom, and the other is the hidden atom with the object itself.
precondition(AtomStore.shared.graph.atoms.count { $0.label == "settings" } == 2)
await expect(1, volumeAtom)
await expect(.success(1), volumeStateAtom)
settings.rename("b")
settings.volume = 2
await expect("b", nameAtom)
await expect(2, volumeAtom)
await expect(.success(2), volumeStateAtom)

let countAtom = Atom(1)
let count = CaptureAtomPublisher(countAtom)
var counts: [Int] = []
let subscription = count.publisher.sink { counts.append($0) }
countAtom.value = 2
subscription.cancel()
countAtom.value = 3
precondition(counts == [1, 2], "\(counts)")
withExtendedLifetime(uses) {}

// The example of the older Atoms for UIKit, with Combine.

let searchTextAtom = Atom("")
let controller = ViewController()
controller.viewDidLoad()
let label = controller.view.subviews.first as? UILabel
precondition(label?.text == "")
searchTextAtom.value = "Foo"
precondition(label?.text == "Foo")

// The example for os.Logger.

struct Sell: Mutation {
  struct SoldOut: Error {}

  func run(_ stock: inout Int) throws(SoldOut) {
    if stock == 0 { throw SoldOut() }
    stock -= 1
  }
}

let sink = LogSink.systemLog(Logger(subsystem: "app", category: "shop"))
let shop = Store(1, guards: [ActionLogger<Int>(to: sink)], name: "shop")
for _ in 0..<2 { _ = try? await shop.dispatch(Sell()) }
precondition(
  Logger.written == ["[app:shop] debug Sell: <private>", "[app:shop] error Sell: <private>"], "\(Logger.written)")
print("all checks passed")

/// The path of a navigation stack is bound both ways.
let planner = Planner.makeStore(Planner(user: "Ada", todos: ["milk"]))
let plannerView = PlannerView(store: planner, planner: await planner.select().observable)
plannerView.path(of: .list).wrappedValue = [.detail(0)]
_ = try await planner.select(\.page).first { $0 == "todo: milk" }
await planner.dispatch([.routes(.pop), .routes(.present(.settings))])
while plannerView.sheet.wrappedValue == nil { await Task.yield() }
precondition(plannerView.path(of: .list).wrappedValue.isEmpty)
plannerView.sheet.wrappedValue = nil
_ = try await planner.select(\.routes.sheets).first { $0.isEmpty }
_ = plannerView.body

/// A time machine shows the entries of a history.
let sketchHistory = History<Sketch>()
let sketch = Store(Sketch(), guards: [sketchHistory])
await sketch.dispatch(Draw(stroke: "line"))
let timeMachine = TimeMachineView(
  store: sketch, history: sketchHistory, status: await sketchHistory.status.select().observable)
precondition(timeMachine.status.value.canUndo)
_ = timeMachine.body
