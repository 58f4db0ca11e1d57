import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

// Swift Testing finds tests by their attribute.
@Test
@MainActor
func testFilterCompletedTodos() async throws {
  try await TestStore { store in
    let firstMock = Todo(name: "Todo1")
    let secondMock = Todo(name: "Todo2", completed: true)
    let mock: [Todo] = [firstMock, secondMock]
    store.inject(todosAtom) {
      return mock
    }
    @CaptureAtom(filterTodosOptionAtom) var filterTodosOption: FilterOption
    @CaptureAtomValue(filteredTodosAtom) var filteredTodos: [Todo]
    filterTodosOption = .completed
    try await expectEqual(filteredTodos, [secondMock])
  }
}
