/// What a store was doing at one moment, as a value: for a report of a stall, for tests, for a debugger.
public struct Diagnostics: Sendable, Equatable {
  /// How far an action that has the turn has come.
  public enum Phase: Sendable, Equatable {
    /// It has the turn, but its task has not come to run yet.
    case starting
    /// It works on a draft.
    case running
    /// It edits the state in place; readers wait for it.
    case applying
  }

  /// The action that has the turn.
  public struct Holder: Sendable, Equatable {
    /// The type of the action, or the label of the closure.
    public let label: String
    /// How far it has come.
    public let phase: Phase
  }

  /// The name given to the store, or one made of its type.
  public let name: String
  /// How many actions have been committed.
  public let revision: UInt64
  /// Whether `close()` was called.
  public let isClosed: Bool
  /// The action that has the turn; nil if the store is idle.
  public let holder: Holder?
  /// The types or labels of the actions that wait for the turn, the next one first.
  public let queued: [String]
  /// The types or labels of the actions that run without a turn, the first to start first; see ``Policy/overlapping``.
  public let overlapping: [String]
}

extension Diagnostics: CustomStringConvertible {
  /// One line for people: who has the turn, who waits and who runs beside, the first few by name.
  public var description: String {
    let turn = holder.map { "\($0.label) has the turn (\($0.phase))" } ?? "idle"
    let waiting = queued.isEmpty ? "nobody waits" : "\(queued.count) wait: \(Self.some(queued))"
    let beside = overlapping.isEmpty ? "" : ", \(overlapping.count) beside: \(Self.some(overlapping))"
    return "\(name)\(isClosed ? ", closed" : ""), revision \(revision): \(turn), \(waiting)\(beside)"
  }

  private static func some(_ names: [String]) -> String {
    let shown = 5
    return names.prefix(shown).joined(separator: ", ") + (names.count > shown ? ", ..." : "")
  }
}

extension Diagnostics.Phase {
  init(_ phase: TurnPhase) {
    self =
      switch phase {
      case .handed: .starting
      case .running: .running
      case .applying: .applying
      }
  }
}
