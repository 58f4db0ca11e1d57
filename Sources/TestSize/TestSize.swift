import Foundation
package import Testing

/// The size of long-running tests, which the environment variable `ACTORSTORE_STRESS` determines.
///
/// Without the variable, such a test runs only some of its schedules, so all tests together take about a minute. CI
/// sets the variable to 1 for the release tests, which then run at full size. With `ACTORSTORE_STRESS=1000`, tests run
/// a thousand times as many schedules.
package enum TestSize {
  private static let variable = ProcessInfo.processInfo.environment["ACTORSTORE_STRESS"]

  /// Whether the tests have their full size.
  package static let isFull = variable != nil

  /// The factor by which the tests exceed their full size.
  package static let factor = variable.flatMap { Int($0) }.map { max(1, $0) } ?? 1

  /// Returns a number of schedules or random inputs, which the factor multiplies.
  ///
  /// - Parameter few: The number if the tests do not have their full size, by default a tenth of the full number.
  package static func count(_ full: Int, few: Int? = nil) -> Int { isFull ? full * factor : few ?? full / 10 }

  /// Returns a length or another number that the factor does not multiply.
  package static func length(_ full: Int, short: Int) -> Int { isFull ? full : short }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test only if the tests have their full size and are optimized, because it takes minutes otherwise.
  package static var largeSearch: Self {
    #if DEBUG
      .disabled("a large search, which runs only in optimized builds")
    #else
      .enabled(if: TestSize.isFull, "a large search, which runs only if ACTORSTORE_STRESS is set")
    #endif
  }
}
