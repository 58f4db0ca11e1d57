import Terminal

/// A line that the user enters.
enum Command {
  case emit(TodoApp.Event)
  case undo
  case redo
  case jump(UInt64)
  case rollback(UInt64)
  case history
  case difference(UInt64)
  case quit
  /// A line without text.
  case nothing

  static let help = """
    add TITLE, toggle NUMBER, remove NUMBER, open NUMBER, close, undo, redo, history, diff NUMBER, jump NUMBER, \
    rollback NUMBER, quit
    """

  /// Parses a line.
  ///
  /// Spaces around the words do not matter.
  init(_ line: String) throws(Unknown) {
    guard let (name, argument) = splitCommand(line) else {
      self = .nothing
      return
    }
    switch (name, argument.isEmpty) {
    case ("add", _): self = .emit(.added(argument))
    case ("toggle", _): self = .emit(.todo(try Self.number(argument, after: "toggle"), .toggled))
    case ("remove", _): self = .emit(.removed(try Self.number(argument, after: "remove")))
    case ("open", _): self = .emit(.opened(try Self.number(argument, after: "open")))
    case ("close", true): self = .emit(.closed)
    case ("undo", true): self = .undo
    case ("redo", true): self = .redo
    case ("history", true): self = .history
    case ("diff", _): self = .difference(try Self.number(argument, after: "diff"))
    case ("jump", _): self = .jump(try Self.number(argument, after: "jump"))
    case ("rollback", _): self = .rollback(try Self.number(argument, after: "rollback"))
    case ("quit", true): self = .quit
    default: throw Unknown(description: "\"\(line)\" is not a command. Commands: \(Self.help)")
    }
  }

  private static func number<N: FixedWidthInteger>(_ text: String, after name: String) throws(Unknown) -> N {
    if let number = N(text) { return number }
    throw Unknown(description: "Enter a valid number after \"\(name)\", such as \"\(name) 1\".")
  }

  /// An error for a line that is not a command.
  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }
}
