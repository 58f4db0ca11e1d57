public import Synchronization

/// Reading the state, and watching its commits.
extension TurnQueue {
  /// Calls `copy` with the revision under the lock if the state is readable, and returns whether it is.
  func read(_ copy: (_ revision: UInt64) -> Void) -> Bool {
    stateMachine.withLock { stateMachine in
      guard stateMachine.isReadable else { return false }
      copy(stateMachine.revision)
      return true
    }
  }

  /// Calls `copy` under the lock if the state is readable.
  ///
  /// Otherwise, the holder calls `later` after its commit, before it hands off the turn.
  func read(_ copy: () -> Void, later: @escaping @Sendable () -> Void) -> Bool {
    stateMachine.withLock { stateMachine in
      guard stateMachine.isReadable else {
        stateMachine.park(reader: later)
        return false
      }
      copy()
      return true
    }
  }

  /// Publishes commits from now on, and calls `body` under the lock.
  ///
  /// `body` gets the revision and whether the state is readable. If it is not, the holder calls `later` after its
  /// commit, before it hands off the turn.
  func subscribe(_ body: (_ revision: UInt64, _ isReadable: Bool) -> Void, later: @escaping @Sendable () -> Void) {
    touch()
    stateMachine.withLock { stateMachine in
      stateMachine.isWatched = true
      body(stateMachine.revision, stateMachine.isReadable)
      if !stateMachine.isReadable { stateMachine.park(reader: later) }
    }
  }

  /// Lets `body` decide under the lock whether commits are published.
  func watch<Result: Sendable>(_ body: (inout Bool) -> Result) -> Result {
    touch()
    return stateMachine.withLock { body(&$0.isWatched) }
  }

  /// Whether a stream of transitions is subscribed, so that transactions record their members.
  ///
  /// It changes only under the lock. Reading it takes no lock.
  @usableFromInline var recordsMembers: Bool {
    @inlinable get { memberRecording.load(ordering: .relaxed) }
    set { memberRecording.store(newValue, ordering: .relaxed) }
  }

  var revision: UInt64 {
    touch(isWrite: false)
    return stateMachine.withLock { $0.revision }
  }

  /// The revision of the holder's commit, before the commit.
  @usableFromInline
  var nextRevision: UInt64 { revision + 1 }

  /// The number of calls that wait for their turn.
  var queuedCount: Int {
    stateMachine.withLock { $0.queuedCount }
  }

  /// A consistent view of one moment, for diagnostics.
  func snapshot() -> Snapshot {
    stateMachine.withLock { stateMachine in
      var holder = stateMachine.holder
      if let ticket = holder?.ticket, ticket.number == begun.load(ordering: .relaxed) { holder?.phase = .running }
      return Snapshot(
        revision: stateMachine.revision, isClosed: stateMachine.isClosed, holder: holder,
        queued: stateMachine.queuedLabels, groups: stateMachine.groups.all.map(\.label),
        deferredCount: stateMachine.deferred.expectedCount,
        overlapping: stateMachine.overlapping.sorted { $0.key < $1.key }.map(\.value.label))
    }
  }

  struct Snapshot: Sendable {
    let revision: UInt64
    let isClosed: Bool
    let holder: TurnHolder?
    let queued: [ActionLabel]
    let groups: [ActionLabel]
    let deferredCount: Int
    let overlapping: [ActionLabel]
  }
}
