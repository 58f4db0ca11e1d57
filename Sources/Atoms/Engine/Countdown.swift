import ActorStore

/// A timer that keeps an atom in use for a while after its last other use.
final class Countdown: Sendable {
  fileprivate let node: NodeID
  fileprivate let number: UInt64
  private let graph: GraphReference
  private let time: Duration
  private let task = CancelableTask()

  fileprivate init(_ graph: Graph, _ node: NodeID, _ number: UInt64, _ time: Duration) {
    self.graph = graph.reference
    self.node = node
    self.number = number
    self.time = time
  }

  /// Starts the countdown, unless it was canceled before.
  fileprivate func start() {
    if !task.isWanted { return }
    // An executor can run the task inside this call. The task must not inherit a selection, which can hold a store.
    let new = Evaluation.setAside { () -> Task<Void, any Error>? in
      // The time begins here, and not when the task starts.
      guard let end = (graph.handle?.graph.clock.now).map({ $0 + time }) else { return nil }
      return SelectedGraph.deselect {
        startTask { [self] in await wait(until: end) }
      }
    }
    if let new { task.begin(new) }
  }

  func cancel() { task.cancel() }

  private func wait(until end: Duration) async {
    guard let clock = graph.handle?.graph.clock else { return }
    // If the clock throws for a reason other than cancellation, the countdown ends immediately.
    do { try await clock.sleep(until: end) } catch  where !task.isWanted { return } catch {}
    graph.withGraph { $0.end(self) }
  }
}

/// A countdown that begins, and the former one of the same atom, which ends.
struct CountdownExchange: Sendable {
  fileprivate let former: Countdown?
  fileprivate let new: Countdown

  /// Cancels the former countdown and starts the new one, without the lock.
  func callAsFunction() {
    former?.cancel()
    new.start()
  }
}

extension Graph {
  /// Begins countdowns of atoms that have lost their last uses, which the caller starts without the lock.
  func beginCountdowns(_ state: inout GraphState) -> [CountdownExchange] {
    if state.logic.newCountdowns.isEmpty { return [] }
    return state.logic.takeNewCountdowns().compactMap { node, number in
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      guard !state.hasEnded, let time = state.cell(node).definition.lifetime.time,
        state.countdowns[node]?.number != number
      else { return nil }
      let new = Countdown(self, node, number, time)
      return CountdownExchange(former: state.countdowns.updateValue(new, forKey: node), new: new)
    }
  }

  /// Ends the use by a countdown, unless another use has begun since.
  fileprivate func end(_ countdown: Countdown) {
    point("ends the lifetime of a value")
    var unused = Unused()
    let mustDeliver = state.withLockBackingOff { state in
      guard state.countdowns[countdown.node] === countdown else { return false }
      state.countdowns[countdown.node] = nil
      state.logic.endCountdown(countdown.number, of: countdown.node)
      releaseUnused(to: &unused, &state)
      return beginDelivery(&state)
    }
    unused.release()
    if mustDeliver { deliver() }
  }
}
