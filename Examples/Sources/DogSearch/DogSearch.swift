import Atoms

/// A search for dogs in a terminal.
package enum DogSearch {
  /// Searches for each line that the user enters, and prints the screen whenever it has changed.
  ///
  /// The lines `:reload`, `:cancel`, and `:quit` are commands. After the last line, the function waits for the last
  /// search. After `:quit`, it returns at once.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - print: A closure that prints.
  package static func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
    let screen = dogScreenAtom.observe { print($0) }
    defer { screen.cancel() }
    for await line in lines {
      switch line {
      case ":quit": return
      case ":reload": dogsAtom.reload()
      case ":cancel": dogsAtom.cancel()
      case _ where line.hasPrefix(":"): print("\"\(line)\" is not a command. Commands: :reload, :cancel, :quit")
      default: searchTextAtom.value = line
      }
    }
    // The screen shows a failure.
    _ = try? await dogsAtom.result
  }
}
