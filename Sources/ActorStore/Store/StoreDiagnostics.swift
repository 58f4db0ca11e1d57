/// A snapshot of a store's activity, for stall reports, tests, and the debugger.
public struct StoreDiagnostics: Sendable, Equatable {
  /// The progress of the action that has the turn.
  @frozen public enum Phase: Sendable, Equatable {
    /// The action has the turn, but its task has yet to run.
    case starting
    /// The action works on a draft.
    case running
    /// The action edits the state in place, and readers wait for it.
    case applying
  }

  /// The action that has the turn.
  public struct Holder: Sendable, Equatable {
    /// The type of the action, or the label of the closure.
    public let label: String
    /// The progress of the action.
    public let phase: Phase
  }

  /// Counts of the states, transitions, or selected values that one stream has been offered since it began.
  public struct Subscriber: Sendable, Hashable {
    /// The number of elements offered: the first one, and one for each commit (or for each published value).
    public let offered: Int
    /// The number of elements that the consumer took.
    public let received: Int
    /// The number of elements that the buffering policy dropped, counted when the consumer takes the next one.
    public let dropped: Int
    /// The number of elements that the filter refused.
    public let refused: Int

    /// The number of elements that the consumer has yet to take, some of which may be dropped or refused.
    ///
    /// With the policy `.unbounded`, all of them are in memory. Streams of states share one copy of each state.
    public var pending: Int { offered - received - dropped - refused }
  }

  /// The name of the store.
  public let name: String
  /// The number of commits.
  public let revision: UInt64
  /// Whether ``Store/close()`` was called.
  public let isClosed: Bool
  /// The action that has the turn, or `nil` if the store is idle.
  public let holder: Holder?
  /// The types or labels of the actions that wait for the turn, starting with the next one.
  public let queued: [String]
  /// The types or labels of the actions that run without a turn, in the order in which they started.
  ///
  /// See ``DispatchPolicy/overlapping``.
  public let overlapping: [String]
  /// The types of the running groups, in the order in which they began.
  public let groups: [String]
  /// The number of deferred actions that the store has accepted, but that have no ticket until their owners commit.
  ///
  /// The owners are actions of other stores and overlapping actions.
  public let deferred: Int
  /// Whether guards have yet to get the report of a call, or a ``LogSink`` has yet to get its record.
  public let isReporting: Bool
  /// The streams that have not ended: first those of states, then those of transitions, then those of selected
  /// values, each in the order of subscription.
  public let subscribers: [Subscriber]
}

extension StoreDiagnostics {
  /// Whether no action or group runs, waits to run, or is deferred until its owner commits.
  public var isIdle: Bool {
    holder == nil && queued.isEmpty && overlapping.isEmpty && groups.isEmpty && deferred == 0
  }
}

extension StoreDiagnostics: CustomStringConvertible {
  /// One line that describes the holder, the waiting and overlapping actions, the groups (each with the first few
  /// names), and the number of subscribers.
  public var description: String {
    let turn = holder.map { "\($0.label) has the turn (\($0.phase))" } ?? "idle"
    let waiting = queued.isEmpty ? "none waiting" : "\(queued.count) waiting: \(Self.some(queued))"
    let running = overlapping.isEmpty ? "" : ", \(overlapping.count) overlapping: \(Self.some(overlapping))"
    let grouped = groups.isEmpty ? "" : ", running groups (\(groups.count)): \(Self.some(groups))"
    let behind = subscribers.count { $0.pending > 0 }
    let watching = subscribers.isEmpty ? "" : ", \(subscribers.count) streams, \(behind) of them behind"
    let later = deferred == 0 ? "" : ", \(deferred) deferred"
    let reporting = isReporting ? ", reports not delivered" : ""
    let activity = "\(turn), \(waiting)\(running)\(later)\(grouped)\(reporting)\(watching)"
    return "\(name)\(isClosed ? ", closed" : ""), revision \(revision): \(activity)"
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
      case .granted: .starting
      case .running: .running
      case .applying: .applying
      }
  }
}

extension StoreDiagnostics.Subscriber {
  init(_ counts: SubscriberCounts) {
    self.init(
      offered: counts.offered, received: counts.received, dropped: counts.dropped, refused: counts.refused)
  }
}
