/// A guard that writes one record for each call to a store.
///
/// ```swift
/// let store = Store(Shop(), guards: [ActionLogger()], name: "shop")
/// try await store.dispatch(Add(item: "tea"))
/// // shop: Add committed as revision 1, ticket 1, waited 0 ns, ran 1.2 us, 0 ahead: Shop( … )
/// ```
///
/// The logger writes the records of commits in the order of their revisions. Any other record follows those of all
/// commits before the end of its call. The members of a transaction directly precede their transaction. Records never
/// mix. One caller at a time writes them, and may write the records of other callers, so a record may be written after
/// its `dispatch` has returned. If another guard holds up the report of a commit for long, the logger writes the later
/// records first.
///
/// A logger can be a guard of several stores. Each store has its own order. Loggers for different states can share a
/// ``LogSink``.
///
/// A record shows the label of a closure or a transaction. It shows any other action, group, event, or error by its
/// `description` if the type is `CustomStringConvertible`, and otherwise by the name of its case or type. Stored
/// properties and payloads may contain secrets, so a logger shows them only if you set `showsPayloads`.
///
/// States become text with ``Dump``. To keep a secret in a state out of the log, make its type `CustomReflectable`,
/// with a mirror that hides the secret, or set `differenceLines` and `treeLines` to zero. A difference is limited to
/// 10,000 parts of a state, in addition to the work of its `==`. If there are more parts, it ends with `… (and more)`.
///
/// A logger makes the text in the task of the action, after the turn, so it does not delay other actions. A difference
/// of states costs the most. A logger that shows differences also makes each mutation copy the part of the state that
/// it changes.
public struct ActionLogger<State: Sendable>: ReportGuard {
  private let settings: LoggerSettings
  /// The guard for reports that do not come from a store, such as those that another guard forwards.
  private let own: LoggerGuard<State>
  /// The clock for the times in the records.
  public var reportClock: (any Clock<Duration>)? { settings.clock }
  /// Whether the records show states or their changes.
  public var reportsStates: Bool { own.reportsStates }

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - sink: The destination of the records.
  ///   - filter: The choice of the records to write.
  ///   - showsPayloads: Whether the records show the stored properties of actions and groups, and the payloads of events
  ///     and errors.
  ///   - differenceLines: The maximum number of lines that describe the changes of a commit. If it is zero, the records
  ///     show no changes, and the store keeps no old states for the logger.
  ///   - treeLines: The maximum number of lines that show the whole state after a commit, for ``LogStyle/tree``. If it
  ///     is zero, the records show no states.
  ///   - clock: The clock for the times in the records, or `nil` for records without times.
  public init(
    to sink: LogSink = .standardError(),
    filter: LogFilter = .all,
    showsPayloads: Bool = false,
    differenceLines: Int = 20,
    treeLines: Int = 0,
    clock: (any Clock<Duration>)? = ContinuousClock()
  ) {
    settings = LoggerSettings(
      queue: sink.queue, filter: filter, showsPayloads: showsPayloads, differenceLines: differenceLines,
      treeLines: treeLines, clock: clock)
    own = LoggerGuard(store: .type(State.self), settings)
  }

  /// Writes the record of an action, if it passes the filter.
  public func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    own.didEnd(action, report: report)
  }

  /// Writes the record of a group, if it passes the filter.
  public func didEnd<G: Sendable>(group: G, report: GroupReport) {
    own.didEnd(group: group, report: report)
  }
}

extension ActionLogger: PerStoreGuard {
  func makeGuard(for store: GuardedStore) -> LoggerGuard<State>? { LoggerGuard(store: store.name, settings) }
}
