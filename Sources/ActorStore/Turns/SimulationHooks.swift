/// What a simulation does with the stores that are made inside it.
///
/// A store made elsewhere has none, and pays for them a comparison with nil.
@usableFromInline package final class SimulationHooks: Sendable {
  @TaskLocal package static var current: SimulationHooks?

  /// Lets another task run if one can: called at the end of each `await` on a store that did not have to wait.
  ///
  /// On several threads another task may come in between there; on the one thread of a simulation it could not.
  let pause: @Sendable () async -> Void
  /// Only while a run is written down.
  let observer: TurnObserver?
  private let lines = Locked<[TurnLine]>([])

  package init(pause: @escaping @Sendable () async -> Void, observer: TurnObserver?) {
    self.pause = pause
    self.observer = observer
  }

  func made(_ line: TurnLine) {
    lines.withLock { $0.append(line) }
  }

  /// The run is over: the stores' lines and these hooks would keep each other.
  package func end() {
    let lines = lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
    withExtendedLifetime(lines) {}
  }

  /// Whether an action of one of the stores has begun and not ended: at the end of a run it never would.
  package var hasUnfinishedActions: Bool {
    lines.withLock { $0 }.map { $0.snapshot() }.contains { $0.holder != nil || !$0.overlapping.isEmpty }
  }
}
