import Atoms

/// A search for dogs in a terminal.
package enum DogSearch {
  /// Searches for each line that the user enters, and prints the screen whenever it has changed.
  ///
  /// The lines `:reload`, `:cancel`, and `:quit` are commands. Other lines that begin with a colon are errors. After
  /// the last line, the function waits for the last search. After `:quit`, it returns at once.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - print: A closure that prints.
  package static func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
    let (shown, newScreen) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    let screen = dogScreenAtom.observe { text in
      print(text)
      newScreen.yield(text)
    }
    defer { screen.cancel() }
    for await line in lines {
      switch line.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
      case ":quit": return
      case ":reload": dogsAtom.reload()
      case ":cancel": dogsAtom.cancel()
      case let text where text.hasPrefix(":"): print("\"\(text)\" is not a command. Commands: :reload, :cancel, :quit")
      case let text: searchTextAtom.value = text
      }
    }
    // The screen shows a failure.
    _ = try? await dogsAtom.result
    // The thread that ended the search may not have printed its result yet.
    let last = dogScreenAtom.value
    for await text in shown where text == last { return }
  }
}
