import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing
import TodoList

@Suite struct TodoListTests {
  private let printer = Printer()

  /// The last text that a script prints.
  private func lastScreen(_ lines: AsyncStream<String>) async throws -> String? {
    try await TestStore { _ in await TodoList.run(lines, print: printer.print) }
    return printer.all.last
  }

  @Test func aListCanBeFilteredAndSearched() async throws {
    let lines = script(
      "add Buy milk", "add Write a letter", "add Buy bread", "toggle 2", "filter active", "search MILK")
    #expect(
      try await lastScreen(lines) == """
        2 open, showing active with "milk"
        1. [ ] Buy milk
        """)
    #expect(printer.all.first == "0 open, showing all")
    #expect(printer.all.count == 7)
  }

  @Test func itemsCanBeDeletedAndCleared() async throws {
    let lines = script("add a", "add b", "add c", "toggle 1", "delete 2", "clear", "add d", "quit", "add e")
    #expect(
      try await lastScreen(lines) == """
        2 open, showing all
        3. [ ] c
        4. [ ] d
        """)
  }

  @Test(arguments: [
    "add", "add  ", "toggle", "toggle x", "toggle 1 2", "toggle 99999999999999999999", "filter", "filter some",
    "clear all", "quit now", "nonsense", "ADD a", "\0",
  ])
  func badInputChangesNothing(_ line: String) async throws {
    let last = try #require(try await lastScreen(script("add a", line)))
    #expect(last.hasPrefix("\"\(line)\" is not a command. Commands: add TITLE, "))
    #expect(printer.all.count == 3)
  }

  @Test(arguments: [7, 0, -1, .max]) func anUnknownItemChangesNothing(_ id: Int) async throws {
    #expect(try await lastScreen(script("add a", "delete \(id)")) == "There is no item \(id).")
    #expect(printer.all.count == 3)
  }

  @Test func spacesAroundWordsDoNotMatter() async throws {
    let lines = script("  add   Buy milk ", "\ttoggle\t1", " search  MILK ", "", " ", "\t", " quit ", "add more")
    #expect(
      try await lastScreen(lines) == """
        0 open, showing all with "milk"
        1. [x] Buy milk
        """)
    #expect(printer.all.count == 4)
  }

  @Test func withoutInputTheListIsEmpty() async throws {
    #expect(try await lastScreen(script()) == "0 open, showing all" && printer.all.count == 1)
  }

  @Test func aLineWithoutAChangePrintsNothing() async throws {
    _ = try await lastScreen(script("filter all", "search", "search   ", "", "clear"))
    #expect(printer.all.count == 1)
  }

  @Test func aFilterCanBeTestedWithoutTheProgram() async throws {
    try await TestStore { store in
      let todos = [Todo(id: 1, title: "a"), Todo(id: 2, title: "b", isDone: true)]
      store.inject(todosAtom, value: todos)
      @CaptureAtom(todoFilterAtom) var filter
      @CaptureAtomValue(shownTodosAtom) var shown
      filter = .done
      try await expectEqual(shown, [todos[1]])
    }
  }
}
