import ActorStoreTesting
import Testing

@testable import EventTodo

@Suite struct EventTodoTests {
  /// Runs the program under many schedules, and compares its output with a transcript.
  ///
  /// In the transcript, a line that begins with `$` is a command. The lines after it are a single text, which the
  /// program prints before it reads the next command.
  private func expect(_ transcript: String) throws {
    var (commands, texts) = ([String](), [String]())
    for (index, part) in "\(transcript)\n".split(separator: "$ ", omittingEmptySubsequences: false).enumerated() {
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      if index > 0 { commands.append(String(lines[0])) }
      let text = index > 0 ? lines[1] : part
      if !text.isEmpty { texts.append(String(text.dropLast())) }
    }
    try Simulation.explore(.mixed(seed: 1), schedules: 30) { [commands, texts] in
      let printer = Printer()
      await EventTodo.run(script(commands), print: printer.print)
      try Simulation.expect(printer.all == texts, printer.all.joined(separator: "\n"))
    }
  }

  @Test func aSessionTravelsThroughTime() throws {
    try expect(
      """
      == List, 0 open ==
      $ history
      Nothing has happened yet.
      $ add Milk
      == List, 1 open ==
      1. [ ] Milk
      $ open 1
      == Item 1, open ==
      Milk
      $ toggle 1
      == Item 1, done ==
      Milk
      $ undo
      == Item 1, open ==
      Milk
      $ undo
      == List, 1 open ==
      1. [ ] Milk
      $ history
        0 initial state
      > 1 add Milk
        2 open 1 (undone)
        3 toggle 1 (undone)
      $ redo
      == Item 1, open ==
      Milk
      $ diff 3
        TodoApp(
          todos: [
            [0]: Todo(
              … (2 unchanged)
      -       isDone: false
      +       isDone: true
            )
          ],
          … (1 unchanged)
        )
      $ jump 0
      == List, 0 open ==
      $ jump 3
      == Item 1, done ==
      Milk
      $ rollback 1
      == List, 1 open ==
      1. [ ] Milk
      $ redo
      There is nothing to redo.
      $ add Tea
      == List, 2 open ==
      1. [ ] Milk
      2. [ ] Tea
      $ history
        0 initial state
        1 add Milk
      > 10 add Tea
      $ quit
      $ add more
      """)
  }

  @Test func anUndoneRemovalReopensTheScreen() throws {
    try expect(
      """
      == List, 0 open ==
      $ add Milk
      == List, 1 open ==
      1. [ ] Milk
      $ open 1
      == Item 1, open ==
      Milk
      $ remove 1
      == List, 0 open ==
      $ undo
      == Item 1, open ==
      Milk
      $ close
      == List, 1 open ==
      1. [ ] Milk
      """)
  }

  @Test func aCommandThatTheScreenDoesNotShowSaysSo() throws {
    try expect(
      """
      == List, 0 open ==
      $ add Milk
      == List, 1 open ==
      1. [ ] Milk
      $ open 1
      == Item 1, open ==
      Milk
      $ add Tea
      Done. The screen remains the same.
      $ undo
      Done. The screen remains the same.
      $ jump 2
      Done. The screen remains the same.
      $ diff 2
        TodoApp(
          … (1 unchanged)
          routes: Routes<TodoRoute>(
            tabs: [
              [0]: Tab(
                … (1 unchanged)
                stack: RouteStack<TodoRoute>(
                  … (1 unchanged)
                  path: [
      +             [0]: .item(1)
                  ]
                )
              )
            ],
            … (5 unchanged)
          )
        )
      """)
  }

  @Test func badInputChangesNothing() throws {
    let help = "is not a command. Commands: \(Command.help)"
    try expect(
      """
      == List, 0 open ==
      $ add
      An item needs a title.
      $ toggle 7
      There is no item 7.
      $ open 9
      There is no item 9.
      $ remove 9223372036854775807
      There is no item 9223372036854775807.
      $ remove 9223372036854775808
      Enter a valid number after "remove", such as "remove 1".
      $ close
      There is nothing to close.
      $ undo
      There is nothing to undo.
      $ redo
      There is nothing to redo.
      $ undo 2
      "undo 2" \(help)
      $ jump x
      Enter a valid number after "jump", such as "jump 1".
      $ jump -1
      Enter a valid number after "jump", such as "jump 1".
      $ jump 99
      The history has no entry 99.
      $ rollback 18446744073709551615
      The history has no entry 18446744073709551615.
      $ diff 0
      The history has no entry 0.
      $ fly
      "fly" \(help)
      $ history
      Nothing has happened yet.
      """)
  }

  @Test func badInputAfterAChangeKeepsTheHistory() throws {
    try expect(
      """
      == List, 0 open ==
      $ add Milk
      == List, 1 open ==
      1. [ ] Milk
      $ undo
      == List, 0 open ==
      $ jump 2
      The history has no entry 2.
      $ rollback 99
      The history has no entry 99.
      $ toggle 1
      There is no item 1.
      $ diff 0
      The history has nothing before entry 0.
      $ history
      > 0 initial state
        1 add Milk (undone)
      $ redo
      == List, 1 open ==
      1. [ ] Milk
      """)
  }

  @Test func spacesAndEmptyLinesDoNotMatter() throws {
    let lines = ["", "   ", "  add   Two  words \t", "\t toggle\t 1 ", " undo ", " quit ", "add more"]
    try expect(
      """
      == List, 0 open ==
      $ \(lines[0])
      $ \(lines[1])
      $ \(lines[2])
      == List, 1 open ==
      1. [ ] Two  words
      $ \(lines[3])
      == List, 0 open ==
      1. [x] Two  words
      $ \(lines[4])
      == List, 1 open ==
      1. [ ] Two  words
      $ \(lines[5])
      $ \(lines[6])
      """)
  }
}
