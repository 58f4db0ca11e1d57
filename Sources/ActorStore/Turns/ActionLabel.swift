/// The name of an action in diagnostics, converted to text only on demand.
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

extension ActionLabel: Hashable {
  @usableFromInline
  static func == (one: ActionLabel, other: ActionLabel) -> Bool {
    switch (one, other) {
    case (.type(let one), .type(let other)): one == other
    case (.text(let one), .text(let other)): one.description == other.description
    default: false
    }
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    if case .type(let type) = self { hasher.combine(ObjectIdentifier(type)) }
  }
}
