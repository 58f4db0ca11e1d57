/// The selections of one store that are in use, the shell around `SharedSelectionsStateMachine`.
///
/// Streams and atoms hold it, and it holds no store. The store's lock may be held while this lock is taken, and this
/// lock while that of a broadcast is taken, but never the reverse.
package final class SharedSelections: Sendable {
  typealias StateMachine = SharedSelectionsStateMachine<
    SharedSelection, AnyPublished, SubscriptionID, any SelectionReader
  >

  private struct State: Sendable {
    var logic = StateMachine()
    var followers: [any SelectionFollower] = []
  }

  private let state = Locked(State())
  /// The queue of the store.
  private let queue: ObjectIdentifier
  private let simulation: SimulationHooks?

  init(of queue: ObjectIdentifier, simulation: SimulationHooks?) {
    self.queue = queue
    self.simulation = simulation
    simulation?.created(self)
  }

  deinit {
    let id = ObjectIdentifier(self)
    for follower in state.withLock({ $0.followers }) { follower.forget(id) }
  }

  private func locked<Result: Sendable>(isWrite: Bool = true, _ body: (inout State) -> Result) -> Result {
    // A store that was created outside a simulation has no hooks, but its atoms may be used inside.
    (simulation ?? .ofThread)?.touch(self, isWrite: isWrite)
    return state.withLock(body)
  }

  var isEmpty: Bool { locked(isWrite: false) { $0.logic.isEmpty } }
  var all: [SharedSelection] { locked(isWrite: false) { $0.logic.selections } }

  /// Marks the end of all commits, and returns the selections with streams to end.
  func finish() -> [SharedSelection] { locked { $0.logic.finish() } }

  // MARK: Commits

  /// Begins a commit, and returns whether the caller must call `commit(_:at:)`.
  ///
  /// Called under the store's lock.
  func beginCommit() -> Bool { locked { $0.logic.beginCommit() } }

  /// Gives the selections the values of a commit, and offers these to atoms and streams.
  ///
  /// Called with the turn and without a lock.
  func commit(_ committed: AnyPublished, at revision: UInt64) {
    while true {
      compute(from: committed, at: revision)
      // Selections that came in during the round need another one.
      guard let due = locked({ $0.logic.endCommit() }) else { continue }
      if !due.isEmpty { publish(due, at: revision) }
      return
    }
  }

  private func publish(_ due: [StateMachine.Due], at revision: UInt64) {
    let publications = due.map { due -> Broadcast.Publication in
      guard due.isChanged, let value = due.known.value else { return Broadcast.Publication() }
      return due.known.selection.broadcast.publish { value }
    }
    let started = locked { state in
      due.flatMap { due in
        state.logic.settle(due.known.id, at: revision).flatMap { due.known.selection.start($0, with: due.known.value) }
      }
    }
    started.resumeAll()
    for (due, publication) in zip(due, publications) where due.isChanged {
      due.known.selection.broadcast.offer(publication)
      pointInCommit()
    }
  }

  /// Gives the selections the values of a commit, and the followers those that have changed.
  ///
  /// Called without a lock in the committing turn, and by threads that need the first value of a selection.
  package func compute(from committed: AnyPublished, at revision: UInt64) {
    // No copy of the round may remain, or the end of the round would copy all selections.
    var begun = locked { (round: $0.logic.begin(at: revision), followers: $0.followers) }
    // Another thread has been faster, but may have yet to update the followers.
    guard var round = begun.round.take() else { return update(begun.followers) }
    var changes = changes(of: round.takeLeaves(), in: committed)
    while true {
      let (progress, followers) = locked { ($0.logic.proceed(&round, with: changes), $0.followers) }
      switch progress {
      case .evaluate(let work): changes = self.changes(of: work, in: committed)
      case .finished(let finished):
        let last = SelectionStep(since: finished.since, step: finished.step, values: finished.readings)
        // Without changes, the followers are up to date, unless a faster thread has yet to update them.
        if !last.values.isEmpty { update(followers, last) } else if !finished.isFirst { update(followers) }
        return
      }
    }
  }

  private func changes(of leaves: consuming [StateMachine.Known], in committed: AnyPublished) -> [StateMachine.Change] {
    var changes: [StateMachine.Change] = []
    for known in leaves {
      if let value = known.selection.node.change(in: committed, [], since: known.value) {
        changes.append(StateMachine.Change(known, value))
      }
    }
    return changes
  }

  private func changes(of work: [StateMachine.Work], in committed: AnyPublished) -> [StateMachine.Change] {
    work.compactMap { work in
      work.known.selection.node.change(in: committed, work.inputs, since: work.known.value)
        .map { StateMachine.Change(work.known, $0) }
    }
  }

  private func update(_ followers: [any SelectionFollower], _ last: SelectionStep? = nil) {
    let gone = followers.filter { follower in
      let isHere = follower.update(from: self, last)
      pointInCommit()
      return !isHere
    }
    if gone.isEmpty { return }
    let ids = Set(gone.map { ObjectIdentifier($0) })
    locked { $0.followers.removeAll { ids.contains(ObjectIdentifier($0)) } }
  }

  /// Lets another task see in a simulation that only some consumers have the values of a commit.
  private func pointInCommit() {
    simulation?.scheduler.pointInCommit(of: queue)
  }

  // MARK: Joining and leaving

  /// Finds the selection with an equal node, or makes a new one.
  func find(_ node: any AnySelectionNode) -> FoundSelection {
    FoundSelection(node) { hash in
      locked(isWrite: false) { $0.logic.candidates(hash) }
    } make: {
      SharedSelection($0, simulation: simulation)
    }
  }

  /// Adds a subscriber, and returns whether the caller must call `startFirst`.
  ///
  /// Called under the store's lock, before there is a stream, so there is no consumer to resume.
  ///
  /// Returns `nil` if the selections have changed since the search.
  func subscribe(
    _ id: SubscriptionID, to found: FoundSelection, at revision: UInt64, isReadable: Bool
  ) -> Bool? {
    locked { state in
      guard let entry = state.logic.admit(found) else { return nil }
      switch state.logic.subscribe(id, to: entry, at: revision, isReadable: isReadable) {
      case .now(let value): _ = found.selection.start(id, with: value)
      case .evaluate: return true
      case .wait: break
      }
      return false
    }
  }

  /// Evaluates the first value of a selection, and starts the subscribers that wait for it.
  func startFirst(_ selection: SharedSelection, from committed: AnyPublished, at revision: UInt64) {
    compute(from: committed, at: revision)
    let woken = locked { state -> [Broadcast.Consumer] in
      guard let id = state.logic.id(of: selection), let first = state.logic.startPending(id) else { return [] }
      return first.subscribers.flatMap { selection.start($0, with: first.value) }
    }
    woken.resumeAll()
  }

  /// Starts a subscriber that joined during an edit in place.
  ///
  /// Called with the turn, after the edit. If a guard vetoed the edit, its commit never comes.
  func subscribeAfterEdit(
    _ id: SubscriptionID, to selection: SharedSelection, at revision: UInt64, _ state: () -> AnyPublished
  ) {
    let (woken, mustEvaluate) = locked { state -> ([Broadcast.Consumer], Bool) in
      guard let entry = state.logic.id(of: selection) else { return ([], false) }
      switch state.logic.subscribeAfterEdit(id, to: entry, at: revision) {
      case .now(let value): return (selection.start(id, with: value), false)
      case .evaluate: return ([], true)
      case .wait: return ([], false)
      }
    }
    woken.resumeAll()
    if mustEvaluate { startFirst(selection, from: state(), at: revision) }
  }

  /// Ends the streams of a selection that joined after the last commit.
  func finishIfLate(_ selection: SharedSelection) {
    if locked(isWrite: false, { $0.logic.isFinished }) { selection.broadcast.finish() }
  }

  /// Ends the use of a selection by streams if there are none, and returns what to release without a lock.
  ///
  /// Called under the store's lock.
  func removeIfUnwatched(_ selection: SharedSelection) -> [StateMachine.Released] {
    locked { state in
      guard selection.isWithoutStreams, let id = state.logic.id(of: selection) else { return [] }
      return state.logic.endStreams(id)
    }
  }

  // MARK: Readers

  /// Adds a reader, and returns its place and, if the selection has a value, the step that its followers take.
  ///
  /// Called under the store's lock. Returns `nil` if the selections have changed since the search.
  func addReader(
    _ reader: any SelectionReader, to found: FoundSelection
  ) -> (place: Int, step: SelectionStep?)? {
    locked { state in
      guard let id = state.logic.admit(found) else { return nil }
      let since = state.logic.readStep
      let place = state.logic.addReader(reader, to: id)
      let step = state.logic.value(forReaderAt: place).map { value in
        SelectionStep(since: since, step: state.logic.step, values: [(reader, value)])
      }
      return (place, step)
    }
  }

  /// Removes a reader, and returns what to release without a lock.
  ///
  /// Called under the store's lock.
  func removeReader(_ place: Int) -> [StateMachine.Released] { locked { $0.logic.removeReader(place) } }

  func value(forReaderAt place: Int) -> AnyPublished? {
    locked(isWrite: false) { $0.logic.value(forReaderAt: place) }
  }

  /// Gives the followers a step.
  func update(_ last: SelectionStep) { update(locked(isWrite: false) { $0.followers }, last) }

  /// Brings the followers up to date with the last step, which another thread may have yet to give them.
  package func updateFollowers() { update(locked(isWrite: false) { $0.followers }) }

  /// The values that have changed after a step.
  ///
  /// A follower that asks for the first time follows from then on.
  package func values(after step: UInt64?, for follower: any SelectionFollower) -> SelectionStep {
    locked { state in
      if step == nil { state.followers.append(follower) }
      return SelectionStep(since: step ?? 0, step: state.logic.step, values: state.logic.readings(after: step ?? 0))
    }
  }

  /// The number of selections, and of followers, some of which may be gone.
  package var counts: (selections: Int, followers: Int) { locked { ($0.logic.count, $0.followers.count) } }
}

extension SharedSelection {
  /// Starts a stream, and returns the consumers to resume.
  fileprivate func start(_ id: SubscriptionID, with value: AnyPublished?) -> [Broadcast.Consumer] {
    value.map { broadcast.start(id, with: $0) } ?? []
  }
}
