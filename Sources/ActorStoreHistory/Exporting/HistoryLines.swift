import ActorStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The first line of a file.
struct HistoryHeader: Codable {
  static let version = 1

  var version = Self.version
  let count: Int
  let position: Int
}

/// A line with an entry.
struct HistoryLine<State: Sendable & Codable>: Codable {
  let revision: UInt64
  let step: Int
  /// The number of seconds since 1970.
  let date: Double
  let nanoseconds: Int64?
  let label: String
  let isIrreversible: Bool?
  let action: ActionLine<State>?
  let state: State
  /// The state that the action started from, if it is not that of the line before.
  let start: Start?

  /// A wrapper that distinguishes a state that is `nil` from a missing one.
  struct Start: Codable {
    let state: State
  }

  init(_ entry: HistoryEntry<State>, _ actions: ActionRegistry<State>?) {
    (revision, step) = (entry.revision, entry.step)
    // Clamp the date, because the import refuses dates outside this range.
    let (dates, seconds) = (HistoryNumbers.dates, entry.date.timeIntervalSince1970)
    date = seconds.isNaN ? 0 : min(max(seconds, dates.lowerBound), dates.upperBound)
    nanoseconds = entry.duration.flatMap { Self.nanoseconds($0) }
    (label, isIrreversible) = (entry.label, entry.isIrreversible ? true : nil)
    action = entry.action.flatMap { actions?.named($0) }.map { ActionLine(name: $0.name, action: $0.action) }
    (state, start) = (entry.state, entry.start.map { Start(state: $0) })
  }

  /// The nanoseconds of a duration, or `nil` if the number overflows.
  private static func nanoseconds(_ duration: Duration) -> Int64? {
    let (seconds, attoseconds) = duration.components
    return Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(attoseconds) / 1_000_000_000)
  }
}

/// An action and its registered name.
struct ActionLine<State: Sendable>: Codable {
  private enum CodingKeys: CodingKey { case name, value }

  let name: String
  /// The action, or `nil` if the file is read without a registry.
  let action: (any Action<State> & Encodable)?

  init(name: String, action: any Action<State> & Encodable) { (self.name, self.action) = (name, action) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    guard let actions = decoder.userInfo[.actions] as? ActionRegistry<State> else {
      action = nil
      return
    }
    guard let type = actions[name] else { throw UnknownAction(name: name) }
    action = try Self.decode(type, from: container.superDecoder(forKey: .value))
  }

  private static func decode<A: Action<State> & Codable>(_ type: A.Type, from decoder: any Decoder) throws -> A {
    try A(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try action?.encode(to: container.superEncoder(forKey: .value))
  }
}

/// The error for a name that is not registered.
struct UnknownAction: Error {
  let name: String
}

extension CodingUserInfoKey {
  /// The registry that decodes actions.
  static let actions: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "ActorStoreHistory.actions") else {
      preconditionFailure("ActorStoreHistory: a key of a decoder is invalid. This is a bug in ActorStoreHistory.")
    }
    return key
  }()
}
