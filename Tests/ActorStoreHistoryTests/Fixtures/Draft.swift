import ActorStore
import ActorStoreHistory

/// A text with a cursor, which an undo can leave alone.
struct Draft: Sendable, Equatable, Codable {
  var text = ""
  var cursor = 0
}

struct Insert: Mutation, Equatable, Codable {
  let letters: String
  init(_ letters: String) { self.letters = letters }
  func run(_ state: inout Draft) { state.text += letters }
}

struct MoveCursor: Mutation, Codable {
  let position: Int
  func run(_ state: inout Draft) { state.cursor = position }
}

struct Print: Mutation, IrreversibleAction {
  func run(_ state: inout Draft) { state.text += "!" }
}

/// The actions that files contain.
let draftActions: ActionRegistry<Draft> = ["insert": Insert.self, "move": MoveCursor.self]

extension Outcome {
  var isCommitted: Bool { if case .committed = self { true } else { false } }

  var reason: String? { if case .vetoed(let veto) = self { veto.reason } else { nil } }
}
