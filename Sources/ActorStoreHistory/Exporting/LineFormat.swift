/// The kind of a line, whose raw value is the key of the line's content.
///
/// A line is a JSON object, such as `{"sum":"85944171f73967e8","entry":{"revision":1, ...}}`. The checksum covers the
/// contents of all lines up to and including this one.
enum LineKind: String {
  case header = "history"
  case entry

  static let start = Array(#"{"sum":""#.utf8)

  /// The text between the checksum and the content.
  var middle: String { #"","\#(rawValue)":"# }
}
