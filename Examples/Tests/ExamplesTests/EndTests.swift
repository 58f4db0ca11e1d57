import ActorStoreTesting
import Atoms
import DogSearch
import EventTodo
import Testing
import TodoList

/// Each program ends when its input ends or its task is canceled, and prints nothing afterward.
@Suite struct EndTests {
  enum Program: CaseIterable {
    case todoList, eventTodo, dogSearch

    func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
      switch self {
      case .todoList: await TodoList.run(lines, print: print)
      case .eventTodo: await EventTodo.run(lines, print: print)
      case .dogSearch: await DogSearch.run(lines, print: print)
      }
    }
  }

  enum End: CaseIterable { case input, cancellation }

  @Test(arguments: Program.allCases, End.allCases) func aProgramEnds(_ program: Program, with end: End) throws {
    try Simulation.explore(.mixed(seed: 1), schedules: 300) {
      let (clock, printer) = (SimulationClock(), Printer())
      let atoms = AtomStore(clock: clock)
      atoms.inject(dogServerAtom, value: .local(clock))
      let (lines, input) = AsyncStream.makeStream(of: String.self)
      let task = Simulation.task {
        await atoms.callAsCurrent { await program.run(lines, print: printer.print) }
      }
      input.yield("add Milk")
      switch end {
      case .input: input.finish()
      case .cancellation: task.cancel()
      }
      await task.value
      let count = printer.all.count
      let uses = (atoms.observe(todosAtom) { _ in }, atoms.observe(searchTextAtom) { _ in })
      atoms.set(todosAtom, [Todo(id: 1, title: "Tea")])
      atoms.set(searchTextAtom, "Pug")
      try await clock.sleep(for: .seconds(2))
      try Simulation.expect(printer.all.count == count, "\(printer.all)")
      withExtendedLifetime((input, uses)) {}
    }
  }
}
