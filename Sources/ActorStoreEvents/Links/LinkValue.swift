/// A value that is a part of a link, such as an ID.
///
/// `String`, `Bool`, the integers, `Double`, and their optionals conform. An enumeration with a raw value only has to
/// declare the conformance:
///
/// ```swift
/// enum Filter: String, LinkValue { case all, open }
/// ```
public protocol LinkValue: Equatable, Sendable {
  /// Creates the value for a part of a link, or returns `nil` if there is none.
  ///
  /// - Parameter linkText: The part of the link, without percent-encoding, or `nil` if the link does not have it.
  init?(linkText: String?)

  /// The part of a link for the value, or `nil` to omit it.
  ///
  /// `init(linkText:)` must return an equal value for this text.
  var linkText: String? { get }
}

extension LinkValue where Self: LosslessStringConvertible {
  /// Creates the value from its description.
  public init?(linkText: String?) {
    guard let linkText else { return nil }
    self.init(linkText)
  }

  /// The description of the value.
  public var linkText: String? { description }
}

extension LinkValue where Self: RawRepresentable, RawValue: LinkValue {
  /// Creates the value from its raw value.
  public init?(linkText: String?) {
    guard let value = RawValue(linkText: linkText) else { return nil }
    self.init(rawValue: value)
  }

  /// The text of the raw value.
  public var linkText: String? { rawValue.linkText }
}

extension String: LinkValue {}
extension Bool: LinkValue {}
extension Int: LinkValue {}
extension Int8: LinkValue {}
extension Int16: LinkValue {}
extension Int32: LinkValue {}
extension Int64: LinkValue {}
extension UInt: LinkValue {}
extension UInt8: LinkValue {}
extension UInt16: LinkValue {}
extension UInt32: LinkValue {}
extension UInt64: LinkValue {}

extension Double: LinkValue {
  /// Creates a finite number from its description.
  public init?(linkText: String?) {
    // `Double.init` ignores everything after a zero byte.
    guard let linkText, !linkText.utf8.contains(0), let number = Double(linkText), number.isFinite else { return nil }
    self = number
  }

  /// The description of the number, or `nil` if it is not finite.
  public var linkText: String? { isFinite ? description : nil }
}

extension Optional: LinkValue where Wrapped: LinkValue {
  /// Creates `nil` if the link does not have the part.
  public init?(linkText: String?) {
    guard let linkText else {
      self = .none
      return
    }
    guard let value = Wrapped(linkText: linkText) else { return nil }
    self = value
  }

  /// The text of the value, or `nil` if there is no value.
  public var linkText: String? { flatMap(\.linkText) }
}
