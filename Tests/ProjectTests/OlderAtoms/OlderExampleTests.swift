import ActorStoreTesting
import Atoms
import AtomsTesting
import Foundation
import Testing

/// The examples of the README of the older Atoms do what it says.
///
/// Its two tests run by themselves, and each example with persons has a test in its file.
@Suite struct OlderExampleTests {
  @Test func theExampleWithAnExplicitTypeRuns() {
    AtomStore().callAsCurrent {
      #expect(someAtom.value == "Hello you")
      someOtherAtom.value = "there"
      #expect(someAtom.value == "Hello there")
    }
  }

  @Test func atomsInANamespaceWork() {
    AtomStore().callAsCurrent {
      MyAtoms.atom.value = "4 of 2"
      #expect(MyAtoms.derived.value == "42")
    }
  }

  #if !canImport(SwiftUI)
    @Test @MainActor func theContentViewExtractsNumbers() {
      AtomStore().callAsCurrent {
        let view = ContentView()
        #expect(Screen(view).texts == ["Extracted numbers: "])
        Screen(view).fields[0].text = "a1b2"
        #expect(textAtom.value == "a1b2" && extractedNumbersAtom.value == "12")
        #expect(Screen(view).texts == ["Extracted numbers: 12"] && Screen(view).fields[0].text == "a1b2")
      }
      #expect(textAtom.value.isEmpty)
    }

    @Test @MainActor func theSearchViewShowsEachState() async throws {
      struct Unavailable: Error {}
      try await TestStore(clock: InstantClock()) { store in
        let mock = [Dog(name: "Pluto"), Dog(name: "Lassie")]
        let isAvailable = Atom(false, keepAlive: true)
        store.inject(apiAtom) {
          .init(searchDogs: { text in
            // Not a dependency, so only the button starts another search.
            @CaptureAtomValue(isAvailable) var isServerAvailable
            if !isServerAvailable { throw Unavailable() }
            return mock.filter { $0.name.hasPrefix(text) }
          })
        }
        let view = SearchDogsView()
        var screen = Screen(view)
        #expect(screen.progressViews == 1 && screen.texts.isEmpty)

        try await expectNotNil(dogsAtom.value.failure)
        screen = Screen(view)
        #expect(screen.texts == [Unavailable().localizedDescription] && screen.progressViews == 0)
        #expect(screen.buttons.map(\.title) == ["Try again"])

        isAvailable.value = true
        screen.buttons[0].action()
        #expect(Screen(view).progressViews == 1)
        try await expectEqual(dogsAtom.value, .success(mock))
        #expect(Screen(view).texts == ["Pluto", "Lassie"])

        Screen(view).fields[0].text = "L"
        #expect(Screen(view).progressViews == 1)
        try await expectEqual(dogsAtom.value, .success([mock[1]]))
        #expect(Screen(view).texts == ["Lassie"])
      }
    }
  #endif

  #if !canImport(UIKit)
    @Test @MainActor func theViewControllerShowsTheText() async throws {
      let store = AtomStore()
      var controller: ViewController? = store.callAsCurrent { ViewController() }
      controller?.viewDidLoad()
      let label = try #require(controller?.view.subviews.first as? UILabel)
      var texts = label.texts.makeAsyncIterator()
      #expect(await texts.next() == "")
      store.set(searchTextAtom, "Foo")
      #expect(await texts.next() == "Foo")
      #expect(searchTextAtom.value.isEmpty)
      // The loop does not keep the controller. Releasing the controller cancels the loop's task.
      weak let released = controller
      controller = nil
      #expect(released == nil)
    }
  #endif
}

/// A clock whose pauses end at once.
private struct InstantClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock().now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
