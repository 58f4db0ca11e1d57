import Testing

/// Runs a body that must report an issue, and returns the text and line of each issue.
func issues(_ body: () async throws -> Void) async -> [(text: String, line: Int)] {
  let found = Witness<(text: String, line: Int)>()
  try? await withKnownIssue {
    try await body()
  } matching: { issue in
    found.saw((issue.comments.map(\.rawValue).joined(), issue.sourceLocation?.line ?? 0))
    return true
  }
  return found.all
}
