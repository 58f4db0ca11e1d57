import Synchronization
import Testing

/// Runs a body that must report an issue, and returns the text of each issue.
func issues(_ body: () async throws -> Void) async -> [String] {
  let found = Mutex<[String]>([])
  try? await withKnownIssue {
    try await body()
  } matching: { issue in
    found.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
    return true
  }
  return found.withLock { $0 }
}
