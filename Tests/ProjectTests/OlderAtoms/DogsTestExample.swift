import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

// Swift Testing finds tests by their attribute.
@Test
@MainActor
func testDogsSuccess() async throws {
  let mock: [Dog] = [.init(name: "Pluto"), .init(name: "Lassie")]
  try await TestStore { store in
    store.inject(apiAtom) {
      .init(searchDogs: { _ in
        return mock
      })
    }
    @CaptureAtomValue(dogsAtom) var dogsState: AsyncState<[Dog]>
    @CaptureAtom(searchTextAtom) var searchText: String
    searchText = "Foo"
    try await expectEqual(dogsState, .success(mock))
  }
}
