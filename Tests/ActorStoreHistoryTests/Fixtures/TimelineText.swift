import ActorStoreHistory

extension HistoryTimeline {
  /// A description of everything that a file keeps.
  var text: String {
    let lines = entries.map { entry in
      """
      \(entry.revision) \(entry.step) \(entry.date) \(entry.duration.map { "\($0)" } ?? "-") \(entry.label) \
      \(entry.isIrreversible) \(entry.action.map { "\($0)" } ?? "-") \(entry.state)
      """
    }
    return "\(position)\n" + lines.joined(separator: "\n")
  }
}
