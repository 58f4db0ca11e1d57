/// A todo list in a terminal, driven by events, with a time machine.
package enum EventTodo {
  /// Executes each command that the user enters, and prints the screen whenever it changes.
  ///
  /// Returns after `quit` or the last line.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - print: A closure that prints.
  package static func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
    await Session(print: print).run(lines)
  }
}
