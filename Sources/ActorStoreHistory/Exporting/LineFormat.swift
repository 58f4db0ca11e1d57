/// The kind of a line, which is the key of its content.
///
/// A line is a JSON object, such as `{"sum":"85944171f73967e8","entry":{"revision":1, ...}}`. The sum covers the
/// contents of the lines up to this one.
enum LineKind: String {
  case header = "history"
  case entry

  static let start = Array(#"{"sum":""#.utf8)

  /// What comes between the sum and the content.
  var middle: String { #"","\#(rawValue)":"# }
}
