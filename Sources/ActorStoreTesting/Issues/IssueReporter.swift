import ActorStore

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Says what is wrong to whatever runs the test: Swift Testing, XCTest, or a simulation.
///
/// Which it is is found out when the reporter is made: a task that a test leaves behind does not know its test any
/// more.
final class IssueReporter: Sendable {
  private enum Runner {
    case swiftTesting, simulation
    /// XCTest, or a detached task of either, where none can be told from the other.
    case unknown
  }

  private let runner: Runner
  /// In a simulation, where only a thrown error can be run again and made simple.
  private let kept = Locked<[String]>([])

  init() {
    #if canImport(Testing)
      let isSwiftTesting = Test.current != nil
    #else
      let isSwiftTesting = false
    #endif
    runner = Simulation.isRunning ? .simulation : isSwiftTesting ? .swiftTesting : .unknown
  }

  func record(_ message: String, at site: CallSite) {
    switch runner {
    case .simulation:
      let message = "\(message) (\(site))"
      kept.withLock { $0.append(message) }
      SwiftRuntime.current?.found(message)
    case .swiftTesting:
      recordForSwiftTesting(message, site)
    case .unknown:
      // Each passes over what is said while it runs no test.
      recordForSwiftTesting(message, site)
      #if canImport(XCTest)
        XCTFail(message, file: site.filePath, line: site.line)
      #endif
    }
  }

  private func recordForSwiftTesting(_ message: String, _ site: CallSite) {
    #if canImport(Testing)
      let location = SourceLocation(
        fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
      Issue.record(Comment(rawValue: message), sourceLocation: location)
    #endif
  }

  /// In a simulation throws what was recorded.
  func throwKept() throws {
    let messages = kept.withLock { $0 }
    if !messages.isEmpty { throw TestStoreFailure(messages: messages) }
  }
}
