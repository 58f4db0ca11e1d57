/// What a turn is called in diagnostics: kept as it is, and turned into text only when somebody looks.
@usableFromInline enum ActionLabel: Sendable {
  case type(any Any.Type)
  case text(StaticString)

  var description: String {
    switch self {
    case .type(let type): String(describing: type)
    case .text(let text): text.description
    }
  }
}
