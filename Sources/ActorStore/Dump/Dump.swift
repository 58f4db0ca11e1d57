/// Converts values to readable text, and describes the differences between two values.
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
/// Both functions accept values of any type, including nested structures, enumerations with payloads, optionals,
/// tuples, and collections:
///
/// - Dictionaries and sets are sorted by the text of their keys or elements, so hash order does not affect the text.
/// - An object appears in full the first time, and by its number after that, so cycles end. An actor, or an object of
///   the standard library other than a key path, appears only by the name of its type.
/// - The mirror of a `CustomReflectable` type replaces its stored properties, even inside ranges and other generic
///   types of the standard library.
/// - Values of Foundation types, and simple values of the standard library, describe themselves.
///
/// Both functions read values by reflection, which takes about a microsecond for each part. Use them for failure
/// messages, logs, and debugging. They read the stored properties of objects without a lock. If other code can change
/// an object at the same time, give its type a mirror that is safe to read, or one without children.
public enum Dump {
  /// The layout of a text.
  @frozen public enum Style: Sendable {
    /// A layout like Swift source code, such as `Account(balance: 100)`.
    case swift
    /// An indented outline with each part on a line of its own.
    ///
    /// It is the layout of `serialize` in the Atom library.
    case outline
  }

  /// The maximum size of a text, and the maximum work to produce it.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of lines.
    ///
    /// If a text has more, one additional line states the number of omitted lines.
    public let lines: Int
    /// The maximum number of elements of each collection.
    public let elements: Int
    /// The maximum number of characters of each string.
    public let characters: Int
    /// The maximum number of nested levels.
    public let depth: Int
    /// The maximum number of parts (values, elements, and entries) to compare, and of keys to sort.
    ///
    /// If a comparison reaches this limit, the text says `… (and more)`. The comparisons that a `==` makes are not
    /// counted.
    public let parts: Int

    /// Creates limits, with defaults that suit a human reader.
    ///
    /// A limit less than 1 becomes 1.
    ///
    /// - Parameters:
    ///   - lines: The maximum number of lines.
    ///   - elements: The maximum number of elements of each collection.
    ///   - characters: The maximum number of characters of each string.
    ///   - depth: The maximum number of nested levels.
    ///   - parts: The maximum number of parts to compare, and of keys to sort.
    public init(
      lines: Int = 200, elements: Int = 100, characters: Int = 500, depth: Int = 20, parts: Int = 200_000
    ) {
      self.lines = max(1, lines)
      self.elements = max(1, elements)
      self.characters = max(1, characters)
      self.depth = max(1, depth)
      self.parts = max(1, parts)
    }
  }

  /// Returns the text of a value, on several lines if one line would be too long.
  ///
  /// - Parameters:
  ///   - value: The value to describe.
  ///   - style: The layout of the text. An outline always has a line for each part.
  ///   - limits: The maximum size of the text. If a dictionary or a set has more elements than `parts`, the text shows
  ///     arbitrary elements instead of the first ones.
  public static func text(of value: Any, style: Style = .swift, limits: Limits = Limits()) -> String {
    var reader = ValueReader(limits)
    let node = reader.read(value)
    let lines = style == .swift ? node.lines(width: lineWidth) : node.outline
    return bounded(lines, limits.lines)
  }

  /// Returns the text of a value on one line, truncated with an ellipsis if it is too long.
  package static func line(of value: Any) -> String {
    var reader = ValueReader(Limits(elements: 10, characters: lineWidth, depth: 5, parts: 1_000))
    let text = reader.read(value).lines(width: .max).joined(separator: " ")
    return text.count <= lineWidth ? text : "\(text.prefix(lineWidth))…"
  }

  /// Returns a description of the differences between two values, or `nil` if there are none.
  ///
  /// Removed lines begin with `-`, and new lines begin with `+`. The lines around them show the values that contain the
  /// differences. In a dictionary or a set, the number of unchanged elements follows the changed ones.
  ///
  /// Parts that are equal according to their own `==` are not examined further. All other parts are compared by their
  /// stored properties, elements, and payloads. Floating-point numbers with the same bits are the same, even NaN.
  ///
  /// The result is `nil` only if all parts have been compared. If two parts look the same, but are unequal or cannot be
  /// compared, the description says so. Functions, actors, types with a custom mirror, and levels beyond the limit
  /// cannot be compared, unless they have a `==`. If the comparison reaches the limit of parts, the description ends
  /// with `… (and more)`.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - new: The value after the change.
  ///   - limits: The maximum size of the description, and the maximum work.
  public static func difference(from old: Any, to new: Any, limits: Limits = Limits()) -> String? {
    var comparison = ValueComparison(limits)
    guard case .different(let difference?) = comparison.compare(old, new) else { return nil }
    return bounded(difference.lines, limits.lines)
  }

  /// Returns whether `difference` finds no difference, without describing differences and without a limit of parts.
  package static func areSame(_ old: Any, _ new: Any) -> Bool {
    var comparison = ValueComparison(Limits(parts: .max), describes: false)
    return comparison.compare(old, new).isSame
  }

  static let lineWidth = 80

  private static func bounded(_ lines: [String], _ count: Int) -> String {
    if lines.count <= count { return lines.joined(separator: "\n") }
    return (lines.prefix(count) + ["… (\(lines.count - count) more lines)"]).joined(separator: "\n")
  }
}
