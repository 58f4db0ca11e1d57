#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HistoryTimeline where State: Codable {
  /// Returns the entries as JSON lines.
  ///
  /// ```swift
  /// let data = try await history.timeline.exported(actions: actions)
  /// ```
  ///
  /// The first line has the version, the number of entries, and the position. Each other line has an entry: its
  /// revision, date (in seconds since 1970), duration (in nanoseconds), label, and state. If you pass a registry, lines
  /// also have the registered actions, so the file can be replayed. Each line has a checksum that detects damage.
  ///
  /// The export runs off the caller's actor and does not block commits. The cost is linear in the total size of the
  /// states, because each line has a whole state.
  ///
  /// - Parameters:
  ///   - actions: The actions to export, or `nil` to export only their labels.
  ///   - progress: A closure that gets the finished fraction, from 0 to 1, at most 101 times.
  /// - Returns: The contents of a file, as UTF-8.
  /// - Throws: `CancellationError` if the task is canceled, or a ``HistoryFileError`` if a value cannot be encoded.
  @concurrent
  public func exported(
    actions: ActionRegistry<State>? = nil, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> Data {
    var (writer, meter) = (LineWriter(), ProgressMeter(total: entries.count, report: progress))
    try writer.write(HistoryHeader(count: entries.count, position: position), as: .header)
    for entry in entries {
      try writer.write(HistoryLine(entry, actions), as: .entry)
      try meter.advance()
    }
    return writer.data
  }
}
