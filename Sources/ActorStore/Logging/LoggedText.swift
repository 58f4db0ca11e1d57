/// The text of an action, an event, a group, or an error, without stored properties, which may contain secrets.
enum LoggedText {
  /// The value's own description, or the name of its case.
  ///
  /// Returns `nil` for any other value, so that the caller shows the name of its type.
  static func of(_ value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    // An action that only wraps other values, such as `Emit`, shows its contents in place of itself.
    if value is any CustomReflectable {
      if mirror.displayStyle == .optional, let content = mirror.children.first { return of(content.value) }
      if mirror.displayStyle == .collection {
        let names = mirror.children.prefix(maxCount).map { of($0.value) ?? "\(type(of: $0.value))" }
        return "[\((names + (mirror.children.count > maxCount ? ["…"] : [])).joined(separator: ", "))]"
      }
    }
    if value is any CustomStringConvertible { return "\(value)" }
    guard mirror.displayStyle == .enum else { return nil }
    return mirror.children.first.map { ".\($0.label ?? "")" } ?? ".\(value)"
  }

  private static let maxCount = 10
}
