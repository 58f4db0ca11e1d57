import Atoms

/// A todo list in a terminal.
package enum TodoList {
  /// Applies the lines that the user enters, and prints the screen whenever it has changed.
  ///
  /// Returns after `quit` or the last line.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - print: A closure that prints.
  package static func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
    // The atoms keep their values while the screen is watched.
    let screen = todoScreenAtom.observe { print($0) }
    defer { screen.cancel() }
    for await line in lines {
      do {
        let command = try TodoCommand(line)
        if case .quit = command { return }
        try command.apply()
      } catch {
        print("\(error)")
      }
    }
  }
}
