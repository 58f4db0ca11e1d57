import Foundation
package import Testing

/// The size of long-running tests, which the environment variable `ACTORSTORE_STRESS` determines.
///
/// Without the variable, such a test runs only some of its schedules, so all tests together take a few minutes. With
/// `ACTORSTORE_STRESS=1`, it runs at full size, and with `ACTORSTORE_STRESS=1000`, it runs a thousand times as many
/// schedules. CI sets the variable to 0.2 for the release tests. They then run a fifth of the random schedules, and all
/// large searches except those that take minutes.
package enum TestSize {
  private static let variable = ProcessInfo.processInfo.environment["ACTORSTORE_STRESS"]

  /// Whether the tests have their full size, except for the number of schedules and the longest searches.
  ///
  /// `factor` multiplies the number of schedules. `isComplete` decides whether the longest searches run in full.
  package static let isFull = variable != nil

  /// The factor for the full number of schedules.
  package static let factor = variable.flatMap { Double($0) } ?? 1

  /// Whether the longest searches, which take minutes even in optimized builds, also run in full.
  package static let isComplete = isFull && factor >= 1

  /// Returns a number of schedules or random inputs, which the factor multiplies.
  ///
  /// - Parameter few: The number if the tests do not have their full size, by default a tenth of the full number.
  package static func count(_ full: Int, few: Int? = nil) -> Int {
    let few = few ?? full / 10
    return isFull ? max(few, Int(Double(full) * factor)) : few
  }

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
