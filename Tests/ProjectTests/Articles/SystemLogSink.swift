import ActorStore

#if canImport(os)
  import os
#endif

extension LogSink {
  /// A sink that passes each record to the log of an Apple platform.
  static func systemLog(_ logger: os.Logger) -> LogSink {
    LogSink { record in
      let level: OSLogType = record.outcome == .failed ? .error : .debug
      logger.log(level: level, "\(record.label, privacy: .public): \(record.description, privacy: .private)")
    }
  }
}
