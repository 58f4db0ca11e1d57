import ActorStore

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Reports failures to the test's runner: Swift Testing, XCTest, or a simulation.
///
/// The reporter determines the runner when it is created, because a task that outlives its test no longer knows it.
package final class IssueReporter: Sendable {
  private enum Runner {
    case swiftTesting, simulation
    /// XCTest, or a detached task in a test of either library, which does not know its test.
    case unknown
  }

  private let runner: Runner
  /// The failures to throw in a simulation.
  private let kept = Locked<[String]>([])

  package init() {
    #if canImport(Testing)
      let other = Test.current == nil ? Runner.unknown : .swiftTesting
    #else
      let other = Runner.unknown
    #endif
    runner = Simulation.isRunning ? .simulation : other
  }

  package func record(_ message: String, at site: CallSite) {
    switch runner {
    case .simulation:
      let message = "\(message) (\(site))"
      kept.withLock { $0.append(message) }
      SwiftRuntime.current?.found(message)
    case .swiftTesting:
      recordForSwiftTesting(message, site)
    case .unknown:
      // Each library ignores a failure that is recorded while it runs no test.
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

  /// Throws the recorded failures, in a simulation.
  package func throwKept() throws {
    let messages = kept.withLock { $0 }
    if !messages.isEmpty { throw TestStoreFailure(messages: messages) }
  }
}
