import ActorStore

/// The expected error of an action or a group.
enum ExpectedError<Failure: Error> {
  case equal(Failure)
  case fitting((Failure) -> Bool)

  /// The expected error in words, for a sentence.
  var text: String {
    switch self {
    case .equal(let expected): "\(expected)"
    case .fitting: "an error"
    }
  }

  /// The reason that an error is not the expected one, for a sentence about the action, or `nil` if it is the expected
  /// one.
  func problem(with error: Failure) -> String? {
    switch self {
    case .equal(let expected):
      Dump.difference(from: expected, to: error).map { "threw a different error (- expected, + thrown):\n\($0)" }
    case .fitting(let isExpected):
      isExpected(error) ? nil : "threw an error that the test does not accept:\n\(Dump.text(of: error))"
    }
  }
}
