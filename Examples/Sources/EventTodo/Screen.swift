import ActorStore
import ActorStoreEvents

/// The screen in the terminal: a component that prints its props whenever they change.
///
/// It knows neither the state nor the history.
actor Screen: ActorComponent {
  var props = ScreenProps()
  var connection: Connection?
  private let printed = Store(ScreenProps())
  private let print: @Sendable (String) -> Void

  init(print: @escaping @Sendable (String) -> Void) { self.print = print }

  func render() {
    print((["== \(props.title) =="] + props.lines).joined(separator: "\n"))
    printed.send { [props] in $0 = props }
  }

  /// Ends the connection, so that the screen prints nothing afterward.
  func disconnect() { connection?.disconnect() }

  /// Returns when the screen has printed these props.
  ///
  /// A dispatch can return before the components have rendered its commit. So the session calls this method before it
  /// prints anything else.
  nonisolated func waitUntilPrinted(_ props: ScreenProps) async {
    // If the task is canceled, return without waiting.
    _ = try? await printed.select().first { $0 == props }
  }
}
