import ActorStoreTesting
import Atoms
import AtomsTesting
import Synchronization
import Testing

let clicksAtom = Atom(0)
let doubledAtom = DerivedAtom { clicksAtom.value * 2 }
let todoAtom = AtomFamily { (id: Int) in Atom("todo \(id)") }

private struct Clicks {
  @UseAtom(clicksAtom) var count
  @UseAtomValue(doubledAtom) var doubled

  func add() { _count.wrappedValue += 1 }
}

/// The example and the tables of ComingFromJotai.md.
@Suite struct ComingFromJotaiTests {
  @Test func theExamplePrintsThis() {
    AtomStore().callAsCurrent {
      let clicks = Clicks()
      clicks.add()
      print(clicks.count, clicks.doubled, todoAtom(1).value)  // 1 2 todo 1
      #expect((clicks.count, clicks.doubled, todoAtom(1).value) == (1, 2, "todo 1"))
    }
  }

  @Test func theCounterpartsOfTheTablesWork() async throws {
    let f: @Sendable (Int) -> Int = { $0 + 1 }
    let a = Atom(0)
    let double = DerivedAtom { a.value * 2 }
    let setter = GetSetAtom {
      a.value * 10
    } set: {
      a.value = $0 / 10
    }
    let selected = DerivedAtom { f(a.value) }
    let loaded = AsyncAtom { f(a.value) }
    try await TestStore { store in
      let updates = Updates()
      let observed = Atom(0).onUpdate(skip: 1) { updates.add($0) }
      do {
        @UseAtom(a) var value
        @CaptureAtom(a) var onlySet
        value = 2
        #expect(double.value == 4 && selected.value == 3 && onlySet == 2)
        onlySet = 3
        #expect(value == 3 && double.value == 6)
      }
      setter.value = 50
      #expect(a.value == 5 && setter.value == 50)
      a.reset()
      #expect(a.value == 0 && store.get(a) == 0)
      store.set(a, 1)
      let observation = store.observe(a) { updates.add($0) }
      let result = try await loaded.result
      #expect(result == 2 && loaded.value == .success(2))
      observation.cancel()
      store.transaction {
        a.value = 7
        observed.value = 8
      }
      #expect(updates.all == [1, 8] && a.value == 7 && observed.value == 8)
      store.inject(a) { 9 }
      #expect(a.value == 9)
      AtomStore().callAsCurrent { #expect(a.value == 0) }
    }
  }

  @Test @MainActor func aModelShowsTheValue() {
    AtomStore().callAsCurrent { #expect(AtomModel(doubledAtom).value == 0) }
  }
}

/// The values that closures get.
private final class Updates: Sendable {
  private let values = Mutex<[Int]>([])

  var all: [Int] { values.withLock { $0 } }

  func add(_ value: Int) { values.withLock { $0.append(value) } }
}
