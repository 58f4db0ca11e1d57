public import ActorStore

extension HistoryTimeline {
  /// Runs the recorded actions again, and compares the states with the recorded ones.
  ///
  /// ```swift
  /// let replay = try await timeline.replayed(with: actions)
  /// print(replay.difference ?? "as recorded")
  /// ```
  ///
  /// The store begins with the state of the oldest entry. The replay dispatches the actions one after another and waits
  /// for each. If an action is not registered, the replay adopts its recorded state. The replay ends at the first
  /// difference. Actions that use the network or start other actions do so again.
  ///
  /// The replay runs off the caller's actor. Each action costs a dispatch and a comparison of two states.
  ///
  /// - Parameters:
  ///   - actions: The actions to run.
  ///   - revision: The revision of the last entry to replay, or `nil` to replay all entries, including undone ones.
  ///   - makeStore: A closure that creates the store from its initial state. It can add guards and middleware.
  ///   - progress: A closure that gets the finished fraction, from 0 to 1, at most 101 times.
  /// - Returns: The store, the number of replayed actions, the adopted revisions, and the first difference.
  /// - Throws: A ``HistoryError`` if there is no entry or no such revision, or `CancellationError` if the task is
  ///   canceled.
  @concurrent
  public func replayed(
    with actions: ActionRegistry<State>,
    upTo revision: UInt64? = nil,
    makeStore: @Sendable (State) -> Store<State> = { Store($0) },
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> HistoryReplay<State> {
    guard let first = entries.first else { throw HistoryError.empty }
    var last = entries.count - 1
    if let revision {
      guard let index = entries.firstIndex(where: { $0.revision == revision }) else {
        throw HistoryError.unknown(revision)
      }
      last = index
    }
    let player = Player(store: makeStore(first.state), actions: actions)
    var (replayedCount, adopted) = (0, [UInt64]())
    var meter = ProgressMeter(total: last, report: progress)
    for entry in entries[1..<(last + 1)] {
      let (isReplayed, text) = await player.play(entry)
      try meter.advance()
      if let text {
        return HistoryReplay(
          store: player.store, replayedCount: replayedCount, adopted: adopted,
          difference: .init(revision: entry.revision, label: entry.label, text: text))
      }
      if isReplayed { replayedCount += 1 } else { adopted.append(entry.revision) }
    }
    return HistoryReplay(store: player.store, replayedCount: replayedCount, adopted: adopted, difference: nil)
  }
}

/// Replays one entry after another.
private struct Player<State: Sendable> {
  let store: Store<State>
  let actions: ActionRegistry<State>

  /// Replays an entry, and returns how its state differs from the recorded one.
  func play(_ entry: HistoryEntry<State>) async -> (isReplayed: Bool, difference: String?) {
    guard let action = entry.action, actions.contains(action) else { return (false, await adopt(entry.state)) }
    if let start = entry.start, let difference = await adopt(start) { return (true, difference) }
    return (true, await run(action, expecting: entry.state))
  }

  private func run<A: Action<State>>(_ action: A, expecting state: State) async -> String? {
    do {
      switch try await store.dispatch(action, returning: { $0 }) {
      case .committed(let new): return difference(from: state, to: new)
      case let outcome: return "The action was not committed: \(outcome)"
      }
    } catch {
      return "The action failed: \(error)"
    }
  }

  private func adopt(_ state: State) async -> String? {
    switch await store.dispatch(AdoptedState(state: state), returning: { $0 }) {
    case .committed(let new): difference(from: state, to: new).map { "The recorded state was changed:\n\($0)" }
    case let outcome: "The recorded state was not adopted: \(outcome)"
    }
  }

  /// Compares states, to a depth of 200 levels if they are not `Equatable`.
  private func difference(from old: State, to new: State) -> String? {
    Dump.difference(from: old, to: new, limits: Dump.Limits(depth: 200))
  }
}

/// Restores a recorded state.
private struct AdoptedState<State: Sendable>: Mutation, TimeMove {
  let state: State

  func run(_ state: inout State) { state = self.state }
}
