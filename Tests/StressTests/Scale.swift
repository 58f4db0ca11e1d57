import Foundation

/// The scale of the stress tests.
///
/// For example, `ACTORSTORE_STRESS=100 swift test` runs a hundred times as many schedules.
enum Scale {
  static let factor =
    ProcessInfo.processInfo.environment["ACTORSTORE_STRESS"].flatMap { Int($0) }.map { max(1, $0) } ?? 1

  static func schedules(_ count: Int) -> Int { count * factor }
}
