/// What a store was doing at one moment, as a value: for a report of a stall, for tests, for a debugger.
public struct StoreDiagnostics: Sendable, Equatable {
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

  /// What became of the states, or selected values, that one stream was offered since it began.
  public struct Subscriber: Sendable, Hashable {
    /// How many there were: the one it started with, and one for each commit; of selected values, those published.
    public let offered: Int
    /// How many its consumer took.
    public let received: Int
    /// How many its buffering policy dropped, counted when the consumer comes for the next.
    public let dropped: Int
    /// How many its filter refused.
    public let refused: Int

    /// How many its consumer has yet to come for, some perhaps to be dropped or refused.
    public var pending: Int { offered - received - dropped - refused }
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
  /// The types or labels of the actions that run without a turn, the first to start first; see ``DispatchPolicy/overlapping``.
  public let overlapping: [String]
  /// The streams that have not ended: of states first, then of selected values; the first to subscribe first.
  public let subscribers: [Subscriber]
}

extension StoreDiagnostics: CustomStringConvertible {
  /// One line for people: who has the turn, who waits and who runs beside, the first few by name.
  public var description: String {
    let turn = holder.map { "\($0.label) has the turn (\($0.phase))" } ?? "idle"
    let waiting = queued.isEmpty ? "nobody waits" : "\(queued.count) wait: \(Self.some(queued))"
    let beside = overlapping.isEmpty ? "" : ", \(overlapping.count) beside: \(Self.some(overlapping))"
    let behind = subscribers.count { $0.pending > 0 }
    let watching = subscribers.isEmpty ? "" : ", \(subscribers.count) watch, \(behind) of them behind"
    return "\(name)\(isClosed ? ", closed" : ""), revision \(revision): \(turn), \(waiting)\(beside)\(watching)"
  }

  private static func some(_ names: [String]) -> String {
    let shown = 5
    return names.prefix(shown).joined(separator: ", ") + (names.count > shown ? ", ..." : "")
  }
}

extension StoreDiagnostics.Phase {
  init(_ phase: TurnPhase) {
    self =
      switch phase {
      case .handed: .starting
      case .running: .running
      case .applying: .applying
      }
  }
}
