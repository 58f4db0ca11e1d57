import Foundation

/// How much the stress tests do: `ACTORSTORE_STRESS=100 swift test` runs a hundred times as many schedules.
enum Scale {
  static let factor =
    ProcessInfo.processInfo.environment["ACTORSTORE_STRESS"].flatMap { Int($0) }.map { max(1, $0) } ?? 1

  static func schedules(_ count: Int) -> Int { count * factor }
}
