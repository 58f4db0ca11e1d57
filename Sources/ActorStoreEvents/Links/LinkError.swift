/// The reason why a link leads to no route, or why a route has no link.
///
/// The description begins with the path up to the failure, for example
/// `/todos: the part "abc" is not a valid Int for "id"`.
public struct LinkError: Error, Hashable, Sendable {
  /// The kinds of failures.
  public enum Reason: Hashable, Sendable {
    /// The link begins with something other than a slash or one of the origins.
    case unknownOrigin(String)
    /// The part has a percent sign without two hexadecimal digits, or encodes bytes that are not UTF-8.
    case malformed(String)
    /// No pattern continues with the part.
    case unknownPart(String)
    /// The path ends where all patterns that begin with it continue.
    case incomplete
    /// The part is not a value of the parameter's type.
    case wrongValue(String, parameter: String, type: String)
    /// The link does not have a query item that its pattern needs.
    case missingItem(String)
    /// The link has a query item more than once.
    case repeatedItem(String)
    /// No pattern has the route.
    case noPattern
    /// The route has no value for a parameter that its pattern needs.
    case missingValue(parameter: String)
    /// The link of the route would lead to another route, because other patterns fit it better.
    case ambiguous(String)
  }

  /// The path up to the failure, such as `/todos`, or the description of a route that has no link.
  public let path: String
  /// The kind of failure.
  public let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension LinkError: CustomStringConvertible {
  /// The path up to the failure, and the failure.
  public var description: String { "\(path): \(reason)" }
}

extension LinkError.Reason: CustomStringConvertible {
  /// The failure in one sentence.
  public var description: String {
    switch self {
    case .unknownOrigin(let origin): "links do not begin with \"\(origin)\""
    case .malformed(let part): "the part \"\(part)\" has an invalid percent-encoding"
    case .unknownPart(let part): "no link continues with \"\(part)\""
    case .incomplete: "the link ends too early"
    case .wrongValue(let part, let parameter, let type):
      "the part \"\(part)\" is not a valid \(type) for \"\(parameter)\""
    case .missingItem(let item): "the query item \"\(item)\" is missing"
    case .repeatedItem(let item): "the query item \"\(item)\" is repeated"
    case .noPattern: "no link leads to this route"
    case .missingValue(let parameter): "the route has no value for \"\(parameter)\""
    case .ambiguous(let link): "the link \(link) leads to another route"
    }
  }
}
