import Atoms

/// A change that the user makes.
enum TodoCommand {
  case add(title: String)
  case toggle(id: Int)
  case delete(id: Int)
  case clear
  case filter(TodoFilter)
  case search(String)

  static let help = """
    add TITLE, toggle NUMBER, delete NUMBER, clear (the items that are done), filter all|active|done, search TEXT, quit
    """

  /// Reads a line.
  init(_ line: String) throws(Unknown) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    let argument = words.count == 2 ? String(words[1]) : ""
    switch words.first {
    case "add" where !argument.isEmpty: self = .add(title: argument)
    case "toggle": self = .toggle(id: try Self.id(argument))
    case "delete": self = .delete(id: try Self.id(argument))
    case "clear" where argument.isEmpty: self = .clear
    case "filter":
      guard let filter = TodoFilter(rawValue: argument) else { throw Unknown(line: line) }
      self = .filter(filter)
    case "search": self = .search(argument)
    default: throw Unknown(line: line)
    }
  }

  /// Parses the number of an item.
  private static func id(_ text: String) throws(Unknown) -> Int {
    guard let id = Int(text) else { throw Unknown(line: text) }
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
    }
  }

  private static func change(_ id: Int, _ body: (inout [Todo], Int) -> Void) throws(NotFound) {
    var isKnown = false
    todosAtom.update { todos in
      guard let index = todos.firstIndex(where: { $0.id == id }) else { return }
      isKnown = true
      body(&todos, index)
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
