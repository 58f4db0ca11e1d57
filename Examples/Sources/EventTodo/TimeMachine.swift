import ActorStore
import ActorStoreEvents
import ActorStoreHistory

/// A store and its history.
///
/// A move in time, such as `history.undo()`, is an action of the store. `EventsOnly` admits events and moves in time, and
/// nothing else.
struct TimeMachine: Sendable {
  let history: History<TodoApp>
  let store: Store<TodoApp>

  init() {
    history = History()
    store = Store(TodoApp(), guards: [EventsOnly(), history], name: "todo")
  }

  /// The entries of the history, one per line, with a mark at the current one.
  var list: String {
    let timeline = history.timeline
    if timeline.entries.isEmpty { return "Nothing has happened yet." }
    let lines = timeline.entries.enumerated().map { index, entry in
      let mark = index == timeline.position ? ">" : " "
      return "\(mark) \(entry.revision) \(entry.label)\(index > timeline.position ? " (undone)" : "")"
    }
    return lines.joined(separator: "\n")
  }

  /// Describes how an entry differs from the one before it.
  func difference(at revision: UInt64) throws(HistoryError) -> String {
    let revisions = history.timeline.entries.map(\.revision)
    guard let index = revisions.firstIndex(of: revision) else { throw .unknown(revision) }
    if index == 0 { return "The history has nothing before entry \(revision)." }
    return try history.difference(from: revisions[index - 1], to: revision) ?? "Entry \(revision) changed nothing."
  }
}
