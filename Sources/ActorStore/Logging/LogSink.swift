/// The destination of the records of one or more loggers.
///
/// A sink gets one record at a time, even if several loggers share it. One caller whose call has ended writes the
/// records of all callers. Under load, a task takes over from that caller.
///
/// A sink that blocks holds up one caller, but no store. Records that arrive during that time wait in a backlog. If the
/// backlog is full, further records are dropped, and the next record states their number in ``LogRecord/dropped``.
public struct LogSink: Sendable {
  let queue: RecordQueue

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - backlog: The maximum number of records that wait for the sink. It also limits the number of records of each
  ///     store that wait for the record of an earlier commit. At the limit, the logger stops waiting for that record.
  ///   - write: Takes the next record. A logger calls it without a lock. It may send to any store.
  public init(backlog: Int = 10_000, _ write: @escaping @Sendable (LogRecord) -> Void) {
    queue = RecordQueue(limit: backlog, write)
  }

  /// A sink that writes to standard error.
  ///
  /// Each record is written by one call of the system, so the records of several sinks do not mix.
  ///
  /// - Parameters:
  ///   - style: The layout of the records.
  ///   - backlog: The maximum number of records that wait for the sink, as in ``init(backlog:_:)``.
  public static func standardError(_ style: LogStyle = .line, backlog: Int = 10_000) -> LogSink {
    LogSink(backlog: backlog) { writeLineToStandardError($0.text(style)) }
  }
}
