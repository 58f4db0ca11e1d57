/// The reason why a history has no entry to go to.
public enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The history has dropped the entry with the revision, or the revision is that of a move.
  case dropped(UInt64)
  /// There has been no such revision.
  case unknown(UInt64)
  /// The timeline has no entry.
  case empty

  /// A sentence with the revision.
  public var description: String {
    switch self {
    case .dropped(let revision): "The history no longer has an entry with the revision \(revision)."
    case .unknown(let revision): "The history has had no entry with the revision \(revision)."
    case .empty: "The timeline has no entry."
    }
  }
}
