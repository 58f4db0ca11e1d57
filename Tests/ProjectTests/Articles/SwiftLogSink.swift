import ActorStore

extension LogSink {
  /// A sink that passes each record to a logger of swift-log.
  static func swiftLog(_ logger: Logging.Logger) -> LogSink {
    LogSink { record in
      let level: Logging.Logger.Level =
        switch record.outcome {
        case .failed: .error
        case .vetoed, .givenUp: .warning
        default: .debug
        }
      logger.log(
        level: level, "\(record)", metadata: ["action": "\(record.label)", "outcome": "\(record.outcome)"])
    }
  }
}
