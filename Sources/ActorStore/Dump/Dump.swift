/// Readable texts of any values, and of what differs between two.
///
/// ```swift
/// print(Dump.text(of: account))
/// // Account(
/// //   balance: 100,
/// //   owners: ["Ann", "Bo"]
/// // )
///
/// print(Dump.difference(from: before, to: account) ?? "the same")
/// //   Account(
/// // -   balance: 0,
/// // +   balance: 100,
/// //     … (1 unchanged)
/// //   )
/// ```
///
/// Whatever the type: nested structures, enumerations with their payloads, optionals, tuples, collections; dictionaries
/// and sets in the order of their texts, so that equal values have equal texts; an object in full where it is met first
/// and by its number after that, so that cycles end. What a type says with `CustomReflectable` is respected. A value of
/// Foundation and of the standard library describes itself.
///
/// Both read values by reflection, which is slow: they are for failures, logs and people.
public enum Dump {
  /// How a text is laid out.
  public enum Style: Sendable {
    /// As one would write it in Swift: `Account(balance: 100)`.
    case swift
    /// As an outline, without types inside and without brackets: what Atom's `serialize` printed.
    case outline
  }

  /// How long a text may become.
  public struct Limits: Hashable, Sendable {
    /// How many lines, after which comes one that says how many are left out.
    public let lines: Int
    /// How many elements of each collection.
    public let elements: Int
    /// How many characters of each string.
    public let characters: Int
    /// How deep.
    public let depth: Int

    /// Limits for what a person reads at once; less than one counts as one.
    public init(lines: Int = 200, elements: Int = 100, characters: Int = 500, depth: Int = 20) {
      self.lines = max(1, lines)
      self.elements = max(1, elements)
      self.characters = max(1, characters)
      self.depth = max(1, depth)
    }
  }

  /// The text of a value, of several lines where one is too long.
  public static func text(of value: Any, style: Style = .swift, limits: Limits = Limits()) -> String {
    var reader = ValueReader(limits)
    let node = reader.read(value)
    let lines = style == .swift ? node.lines(width: lineWidth) : node.outline
    return bounded(lines, limits.lines)
  }

  /// What differs between two values, one line for each thing that is gone (`-`) or new (`+`), amid what it is part of;
  /// nil when nothing does.
  ///
  /// Parts that are equal by their own `==` are not looked into, others are compared by what can be read of them.
  /// Values that differ without showing it are said to.
  public static func difference(from old: Any, to new: Any, limits: Limits = Limits()) -> String? {
    var comparison = ValueComparison(limits)
    guard let difference = comparison.compare(old, new) else { return nil }
    return bounded(difference.lines, limits.lines)
  }

  static let lineWidth = 80

  private static func bounded(_ lines: [String], _ count: Int) -> String {
    if lines.count <= count { return lines.joined(separator: "\n") }
    return (lines.prefix(count) + ["… (\(lines.count - count) more lines)"]).joined(separator: "\n")
  }
}
