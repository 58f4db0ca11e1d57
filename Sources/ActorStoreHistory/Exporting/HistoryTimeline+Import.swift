#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HistoryTimeline where State: Codable {
  /// Returns the timeline of an exported history.
  ///
  /// ```swift
  /// let timeline = try await HistoryTimeline<Draft>.imported(from: data, actions: actions)
  /// try await store.dispatch(history.restore(timeline))
  /// ```
  ///
  /// Each imported history can be exported and imported again. So if a revision or a step in the file is larger than
  /// 2^53, the import renumbers all revisions and steps in the same order.
  ///
  /// The import changes no history. It reads the file off the caller's actor, and its cost is linear in the size of the
  /// file. A date is exact to a microsecond, and a duration to a nanosecond.
  ///
  /// - Parameters:
  ///   - data: The contents of the file.
  ///   - actions: The actions to import, or `nil` to import only their labels.
  ///   - onDamage: A closure that gets the error of a damaged file, or `nil` to throw the error. If you pass a closure,
  ///     the import keeps the entries before the damage, and throws the error only if there are no such entries.
  ///   - progress: A closure that gets the finished fraction, from 0 to 1, at most 101 times.
  /// - Returns: The entries and the position among them.
  /// - Throws: `CancellationError` if the task is canceled, or a ``HistoryFileError``.
  @concurrent
  public static func imported(
    from data: Data,
    actions: ActionRegistry<State>? = nil,
    onDamage: (@Sendable (HistoryFileError) -> Void)? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> HistoryTimeline {
    var lines = LineReader(data, userInfo: actions.map { [.actions: $0] } ?? [:])
    let header = try lines.header()
    var (entries, meter) = (ImportedEntries<State>(), ProgressMeter(total: header.count, report: progress))
    do {
      while entries.count < header.count {
        try entries.add(from: &lines)
        try meter.advance()
      }
      try lines.end()
    } catch let damage as HistoryFileError {
      guard let onDamage, entries.count > 0 else { throw damage }
      onDamage(damage)
    }
    return HistoryTimeline(entries: entries.all, position: max(0, min(header.position, entries.count - 1)))
  }
}
