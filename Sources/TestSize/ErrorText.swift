package import Testing

/// The text that the process of an exit test has written to standard error.
package func errorText(of result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
