import ActorStore
import ActorStoreEvents

/// The entry point to the store.
enum AppStore: StoreFacade {
  static func makeDefault() -> Store<TodoApp> { Store(TodoApp(), guards: [EventsOnly()], name: "todo") }
}

/// A todo list in a terminal, driven by events.
package enum EventTodo {
  /// Emits an event for each line that the user enters, and prints the event and the tree of the state.
  ///
  /// Returns after `quit` or the last line.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - print: A closure that prints.
  package static func run(_ lines: AsyncStream<String>, print: @escaping @Sendable (String) -> Void) async {
    for await line in lines {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      let argument = words.count > 1 ? String(words[1]) : ""
      do {
        switch (words.first, Int(argument)) {
        case (nil, _): continue
        case ("add", _): try await emit(.added(argument), print)
        case ("toggle", let id?): try await emit(.todo(id, .toggled), print)
        case ("remove", let id?): try await emit(.removed(id), print)
        case ("quit", _): return
        default: print("\"\(line)\" is not a command. Commands: add TITLE, toggle NUMBER, remove NUMBER, quit")
        }
      } catch {
        print("\(error)")
      }
    }
  }

  private static func emit(_ event: TodoApp.Event, _ print: (String) -> Void) async throws(TodoApp.Refusal) {
    let outcome = try await AppStore.current.dispatch(Emit<TodoApp>(event), returning: { $0 })
    guard case .committed(let state) = outcome else { return print("\(outcome)") }
    print("\(event)\n\(Dump.text(of: state, style: .outline))")
  }
}
