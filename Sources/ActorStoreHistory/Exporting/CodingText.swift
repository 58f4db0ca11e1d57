/// Describes the errors of encoders and decoders in one clause.
enum CodingText {
  static func of(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(let type, let context), DecodingError.typeMismatch(let type, let context):
      "\(path(context.codingPath)) is not a valid \(type)"
    case DecodingError.dataCorrupted(let context): "\(path(context.codingPath)): \(clause(context.debugDescription))"
    case EncodingError.invalidValue(_, let context):
      "\(path(context.codingPath)): \(clause(context.debugDescription))"
    default: "\(error)"
    }
  }

  /// A path such as `state.items[2].title`.
  private static func path(_ keys: [any CodingKey]) -> String {
    let text = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return text.isEmpty ? "the line" : String(text.drop { $0 == "." })
  }

  private static func clause(_ text: String) -> Substring { text.last == "." ? text.dropLast() : text[...] }
}
