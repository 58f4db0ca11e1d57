extension Result {
  /// The error, or `nil` if the result is a success.
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
