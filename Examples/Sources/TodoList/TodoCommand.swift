import Atoms
import Terminal

/// A line that the user enters.
enum TodoCommand {
  case add(title: String)
  case toggle(id: Int)
  case delete(id: Int)
  case clear
  case filter(TodoFilter)
  case search(String)
  case quit
  /// A line without text, which changes nothing.
  case nothing

  static let help = """
    add TITLE, toggle NUMBER, delete NUMBER, clear (the items that are done), filter all|active|done, search TEXT, quit
    """

  /// Reads a line.
  ///
  /// Spaces around the words do not matter.
  init(_ line: String) throws(Unknown) {
    guard let (name, argument) = splitCommand(line) else {
      self = .nothing
      return
    }
    switch (name, argument.isEmpty) {
    case ("add", false): self = .add(title: argument)
    case ("toggle", false): self = .toggle(id: try Self.id(argument, line))
    case ("delete", false): self = .delete(id: try Self.id(argument, line))
    case ("clear", true): self = .clear
    case ("filter", false):
      guard let filter = TodoFilter(rawValue: argument) else { throw Unknown(line: line) }
      self = .filter(filter)
    case ("search", _): self = .search(argument)
    case ("quit", true): self = .quit
    default: throw Unknown(line: line)
    }
  }

  /// Parses the number of an item.
  private static func id(_ text: String, _ line: String) throws(Unknown) -> Int {
    guard let id = Int(text) else { throw Unknown(line: line) }
    return id
  }

  /// Changes the atoms of the current store.
  func apply() throws(NotFound) {
    switch self {
    case .add(let title):
      todosAtom.update { $0.append(Todo(id: ($0.last?.id ?? 0) + 1, title: title)) }
    case .toggle(let id):
      try Self.change(id) { todos, index in todos[index].isDone.toggle() }
    case .delete(let id):
      try Self.change(id) { todos, index in todos.remove(at: index) }
    case .clear:
      todosAtom.update { $0.removeAll(where: \.isDone) }
    case .filter(let filter):
      todoFilterAtom.value = filter
    case .search(let text):
      todoSearchAtom.value = text
    case .quit, .nothing:
      break
    }
  }

  private static func change(_ id: Int, _ body: (inout [Todo], Int) -> Void) throws(NotFound) {
    let isKnown = todosAtom.update { todos in
      guard let index = todos.firstIndex(where: { $0.id == id }) else { return false }
      body(&todos, index)
      return true
    }
    if !isKnown { throw NotFound(id: id) }
  }

  /// An error for a line that is not a command.
  struct Unknown: Error, CustomStringConvertible {
    let line: String

    var description: String { "\"\(line)\" is not a command. Commands: \(TodoCommand.help)" }
  }

  /// An error for an item that is not in the list.
  struct NotFound: Error, CustomStringConvertible {
    let id: Int

    var description: String { "There is no item \(id)." }
  }
}
