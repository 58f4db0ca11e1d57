import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

private struct Todo: Equatable, Sendable {
  var name: String
  var completed = false
}

private enum FilterOption: Sendable { case all, completed }

private let todosAtom = Atom<[Todo]>([])
private let filterTodosOptionAtom = Atom(FilterOption.all)
private let filteredTodosAtom = DerivedAtom {
  filterTodosOptionAtom.value == .all ? todosAtom.value : todosAtom.value.filter(\.completed)
}
private let cartAtom = Atom<[String]>([])

/// The code of AtomsTesting.md.
@Suite struct AtomsTestingOverview {
  @Test func completedTodos() async throws {
    try await TestStore { store in
      store.inject(todosAtom) { [Todo(name: "Milk"), Todo(name: "Tea", completed: true)] }
      filterTodosOptionAtom.value = .completed
      try await expectEqual(filteredTodosAtom.value.map(\.name), ["Tea"])
    }
  }

  @Test func twoTasksAddBoth() throws {
    try Simulation.explore {
      try await TestStore { store in
        async let one: Void = cartAtom.update { $0.append("Milk") }
        async let two: Void = cartAtom.update { $0.append("Tea") }
        _ = await (one, two)
        try await expectEqual(cartAtom.value.sorted(), ["Milk", "Tea"])
      }
    }
  }
}
