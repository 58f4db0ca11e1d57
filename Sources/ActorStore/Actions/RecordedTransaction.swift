/// A transaction that records its members for streams of transitions.
protocol RecordedTransaction<State>: Action {
  /// The members that are part of the commit, in order, or an empty array if the transaction recorded none.
  var committedMembers: [any Action<State>] { get }
}

extension Action {
  /// The members of a transaction that is about to commit, if it recorded them.
  @usableFromInline
  func recordedMembers() -> [any Action<State>] {
    (self as? any RecordedTransaction<State>)?.committedMembers ?? []
  }
}
