/// The reason why a history or a timeline does not have a requested entry.
public enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The history has dropped the entry with the revision, or the revision is that of a move.
  case dropped(UInt64)
  /// The revision is larger than all revisions of the history so far, or a timeline to replay has no such entry.
  case unknown(UInt64)
  /// The timeline has no entries.
  case empty

  /// A sentence that names the missing revision, if any.
  public var description: String {
    switch self {
    case .dropped(let revision): "Revision \(revision) is a move, or the history has dropped its entry."
    case .unknown(let revision): "There is no entry with the revision \(revision)."
    case .empty: "The timeline has no entries."
    }
  }
}
