/// A turn that is held for longer than a watchdog's limit, or its end.
public struct TurnReport: Sendable {
  /// The event that a report describes.
  @frozen public enum Event: Sendable, Hashable {
    /// The turn has been held for longer than the limit, and is still held.
    case held
    /// A turn that was reported before has ended.
    case ended
  }

  /// What the holder was waiting for.
  public enum Wait: Sendable, Hashable {
    /// The action, or a task nested in it, waits for these stores (the first few).
    ///
    /// It waits for a turn, an outcome, a state, or the end of all actions. Waits behind mutations do not count,
    /// because they are brief. Neither do waits for the streams of its own store, which deliver nothing new until the
    /// action ends.
    case forStores([AwaitedStore])
    /// The stores see no wait.
    ///
    /// Either the action computes, or it waits for something else, such as a network, a clock, a lock, or a thread to
    /// run on. Or it has dispatched an action to another store, and that action has the turn there and does one of
    /// these. The watchdog cannot tell these cases apart.
    case unseen
  }

  /// A store for which a holder waits.
  public struct AwaitedStore: Sendable, Hashable {
    /// The name of the store, or `nil` if no watchdog watches the store.
    ///
    /// If the wait is for a group that was sent, it is the word "group" and the type of the group.
    public let name: String?
    /// The type or the label of the action that has that store's turn, or `nil` if there is none.
    ///
    /// If there is none, the wait may be for an overlapping action, a group, or a commit.
    public let holder: String?
  }

  /// Whether the turn is still held.
  public let event: Event
  /// The name of the store.
  public let storeName: String
  /// The type of the action, or the label of the closure.
  public let action: String
  /// The ticket of the turn, which is unique in the store.
  ///
  /// It is the same as ``ActionReport/ticket``, except for an overlapping action, whose second turn has a ticket of its
  /// own.
  public let ticket: UInt64
  /// The bounds of the time for which the turn has been held, until the report or until its end.
  ///
  /// The lower bound is at least the limit.
  public let held: ClosedRange<Duration>
  /// The bounds of the time since the turn began.
  ///
  /// To get the bounds of its start, subtract them from the current time. Until the turn ends, they hardly differ from
  /// those of ``held``.
  public let age: ClosedRange<Duration>
  /// The progress of the action.
  ///
  /// In the report of the end, this property and the following ones are those of the first report.
  public let phase: StoreDiagnostics.Phase
  /// The number of actions that wait for the turn.
  public let waiting: Int
  /// The types or labels of the first few waiting actions, starting with the next one.
  ///
  /// After many waiting calls were canceled, there may be fewer, or none.
  public let waitingActions: [String]
  /// What the holder was waiting for.
  public let wait: Wait

  init(_ event: Event, _ turn: ReportedTurn, held: ClosedRange<Duration>, age: ClosedRange<Duration>) {
    self.event = event
    self.held = held
    self.age = age
    storeName = turn.storeName
    action = turn.action
    ticket = turn.ticket
    phase = turn.phase
    waiting = turn.waiting
    waitingActions = turn.waitingActions
    wait = turn.wait
  }

  /// Writes a one-line description to standard error.
  ///
  /// A watchdog calls this method by default.
  public func writeToStandardError() {
    writeLineToStandardError(description)
  }
}

extension TurnReport: CustomStringConvertible {
  /// One line that describes the turn, the waiting actions, and what the holder waits for.
  public var description: String {
    let times = "\(held.lowerBound) to \(held.upperBound)"
    switch event {
    case .ended: return "\(storeName): \(action) no longer has the turn, which it had for \(times)"
    case .held: return "\(storeName): \(action) has had the turn for \(times) (\(phase)), \(waiters), \(wait)"
    }
  }

  private var waiters: String {
    if waiting == 0 { return "none waiting" }
    if waitingActions.isEmpty { return "\(waiting) waiting" }
    let names = waitingActions.joined(separator: ", ")
    return "\(waiting) waiting: \(names)\(waiting > waitingActions.count ? ", ..." : "")"
  }
}

extension TurnReport.Wait: CustomStringConvertible {
  /// A phrase that names the awaited stores.
  public var description: String {
    switch self {
    case .unseen: "waiting for nothing that stores can see"
    case .forStores(let stores): "waiting for \(stores.map(\.description).joined(separator: " and for "))"
    }
  }
}

extension TurnReport.AwaitedStore: CustomStringConvertible {
  /// The name of the store, and its holder.
  public var description: String {
    "\(name ?? "another store")\(holder.map { " (\($0) has the turn)" } ?? "")"
  }
}

/// The part of a report that is known when a turn is first reported.
struct ReportedTurn: Sendable {
  let storeName: String
  let action: String
  let ticket: UInt64
  let phase: StoreDiagnostics.Phase
  let waiting: Int
  let waitingActions: [String]
  let wait: TurnReport.Wait

  init(_ turn: TurnQueue.HeldTurn, _ ticket: TicketNumber, of queue: TurnQueue) {
    storeName = WatchedStore.name(of: queue) ?? "a store"
    action = turn.label.description
    self.ticket = ticket.number
    phase = StoreDiagnostics.Phase(turn.phase)
    waiting = turn.queuedCount
    waitingActions = turn.firstQueued.map(\.description)
    let awaited = WaitGraph.queues(awaitedBy: TurnID(store: queue.id, ticket: ticket), limit: 5)
    wait = awaited.isEmpty ? .unseen : .forStores(awaited.map { TurnReport.AwaitedStore($0) })
  }
}

extension TurnReport.AwaitedStore {
  init(_ queue: TurnQueue) {
    let label = queue.holderLabel?.description
    if queue.id.isOfGroups {
      // The only turn of this private queue belongs to the group.
      name = label.map { "group \($0)" }
      holder = nil
    } else {
      name = WatchedStore.name(of: queue)
      holder = label
    }
  }
}
