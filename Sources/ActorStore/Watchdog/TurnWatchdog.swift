/// An object that reports turns that are held for longer than a limit.
///
/// While an action has the turn of a store, all later actions wait. A watchdog finds the actions that hold it for too
/// long, and what they wait for. It only reports. It never interrupts an action.
///
/// ```swift
/// let watchdog = TurnWatchdog(limit: .seconds(1))
/// let shop = Store(Shop(), guards: [watchdog.makeGuard()], name: "shop")
/// let chat = Store(Chat(), guards: [watchdog.makeGuard()], name: "chat")
/// ```
///
/// The watchdog looks at all of its stores once per limit, with one timer for any number of stores. Between two looks,
/// it does nothing, and it adds nothing to a turn. A look that finds the same turn as the previous look reports the
/// turn. So the watchdog reports every turn that is held for more than twice the limit, and none that is held for less
/// than the limit. When a reported turn has ended, the next look reports that, too. Each turn has at most one report of
/// each kind.
///
/// An overlapping action has a turn only while it starts and while it commits, and a group has none. So the watchdog
/// does not report their long waits.
///
/// The watchdog exists as long as you hold it or one of its stores exists. It holds no store, but its stores hold it
/// and its closure. So the closure must refer weakly to a store that the watchdog watches.
///
/// The timer runs in a task. While blocked actions occupy all threads on which tasks run, the watchdog cannot look.
///
/// In a simulation, create the watchdog in the body, with a `SimulationClock`. Its timer does not keep the run going.
public final class TurnWatchdog: Sendable {
  private typealias StateMachine = TurnWatchdogStateMachine<WeakQueue, ReportedTurn>

  private struct WeakQueue: Sendable {
    weak var queue: TurnQueue?
  }

  private let limit: Duration
  private let onReport: @Sendable (TurnReport) -> Void
  private let stateMachine: Locked<StateMachine>
  private let timer = Locked<Task<Void, Never>?>(nil)

  /// Creates a watchdog and starts its timer.
  ///
  /// Create it when your program starts. The timer keeps the task-local values, the priority, and the preferred
  /// executor of the task that creates the watchdog.
  ///
  /// - Parameters:
  ///   - limit: The time for which an action may hold a turn. It must be positive. It is also the time between two
  ///     looks.
  ///   - clock: The clock of the timer. The default clock stops while the machine sleeps, because no action runs then.
  ///     If the clock's time goes backward, the next look waits until the time has caught up. If the clock's sleep
  ///     throws an error, the watchdog does not look again.
  ///   - onReport: A closure that gets each report, in the task of the timer and without a lock. The next look begins
  ///     after it has returned. The default writes one line to standard error.
  public init(
    limit: Duration,
    clock: any Clock<Duration> = SuspendingClock(),
    onReport: @escaping @Sendable (TurnReport) -> Void = { $0.writeToStandardError() }
  ) {
    if limit <= .zero {
      fatalError(
        "ActorStore: the limit of a watchdog is \(limit), so it would report every turn. Pass a positive duration.")
    }
    let limit = min(limit, Self.longestLimit)
    self.limit = limit
    self.onReport = onReport
    stateMachine = Locked(StateMachine(limit: limit))
    SimulationHooks.current?.created(self)
    let task = startTimer(clock)
    timer.withLock { $0 = task }
  }

  /// A century, because with a longer limit, the deadline can overflow in a clock.
  private static var longestLimit: Duration { .seconds(100 * 365 * 86_400) }

  deinit {
    timer.withLock { $0 }?.cancel()
  }

  /// Returns a guard that makes the watchdog watch each store to which it is passed.
  ///
  /// - Parameter state: The type of the stores' state, which is usually inferred.
  public func makeGuard<State: Sendable>(for state: State.Type = State.self) -> any ReportGuard<State> {
    WatchdogGuard<State>(watchdog: self)
  }

  // MARK: Stores

  /// The number of stores.
  var count: Int { stateMachine.withLock { $0.count } }

  /// Adds a store, and returns the place from which to remove it.
  func add(_ store: GuardedStore) -> Int {
    SimulationHooks.ofThread?.touch(self)
    let watched = WeakQueue(queue: store.queue)
    return stateMachine.withLock { $0.add(watched) }
  }

  func remove(_ place: Int) {
    stateMachine.withLock { $0.remove(place) }
  }

  // MARK: The timer

  /// Starts the task that sweeps, which holds neither the watchdog nor a store while it sleeps.
  private func startTimer<C: Clock<Duration>>(_ clock: C) -> Task<Void, Never> {
    let origin = clock.now
    let first = origin.advanced(by: limit)
    return CallChain.cleared {
      inheritingTask { [weak self] in
        var deadline = first
        while await Self.sleep(until: deadline, clock), let self {
          deadline = origin.advanced(by: self.sweep { origin.duration(to: clock.now) })
        }
      }
    }
  }

  /// Sleeps, and returns `false` if the clock throws, as when the task is canceled.
  private static func sleep<C: Clock<Duration>>(until deadline: C.Instant, _ clock: C) async -> Bool {
    do {
      // Only the sleep is in the background. A sleep in `onReport` is not.
      try await SimulationHooks.$sleep.withValue(.background) {
        try await clock.sleep(until: deadline, tolerance: nil)
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Sweeps

  /// A sample of a store, without the queue, which would be retained and released with each access.
  private struct Sample: Sendable {
    let place: Int
    let expected: TicketNumber
    var holder = TicketNumber.none
  }

  /// Samples all stores, reports, and returns when the next sweep is due.
  ///
  /// Calls must not overlap. No two locks are held at the same time, and none while a queue is released.
  package func sweep(now: () -> Duration) -> Duration {
    SimulationHooks.ofThread?.touch(self)
    let start = now()
    if stateMachine.withLock({ $0.beginSweep(at: start) }) {
      var place: Int? = 0
      while let first = place { place = sweep(from: first, now) }
      let end = now()
      report(stateMachine.withLock { $0.endSweep(at: end) })
    }
    return stateMachine.withLock { $0.nextSweep }
  }

  /// Samples the next few stores, reports, and returns the place from which the sweep continues.
  private func sweep(from place: Int, _ now: () -> Duration) -> Int? {
    var samples: [Sample] = []
    // These references keep the stores at their places until the samples are recorded.
    var queues: [TurnQueue] = []
    samples.reserveCapacity(Self.visitsAtOnce)
    queues.reserveCapacity(Self.visitsAtOnce)
    let next = stateMachine.withLock { stateMachine in
      stateMachine.visit(from: place, count: Self.visitsAtOnce) { place, watched, expected in
        guard let queue = watched?.queue else { return }
        queues.append(queue)
        samples.append(Sample(place: place, expected: expected))
      }
    }
    // Almost no sample has details, so `Sample` does not contain them.
    var details: [Int: ReportedTurn] = [:]
    for index in samples.indices {
      let expected = samples[index].expected
      samples[index].holder = queues[index].sampleHolder()
      if expected == .none || samples[index].holder != expected { continue }
      // The turn may have ended since `sampleHolder`, so this sample replaces the first one.
      let sample = queues[index].sample(expecting: expected)
      samples[index].holder = sample.holder
      details[samples[index].place] = sample.details.map { ReportedTurn($0, expected, of: queues[index]) }
    }
    let end = now()
    let steps = stateMachine.withLock { stateMachine in
      var steps: [StateMachine.Step] = []
      for sample in samples where !stateMachine.recordUneventful(sample.holder, at: sample.place) {
        let step = stateMachine.record(sample.holder, details[sample.place], at: sample.place, now: end)
        if let step { steps.append(step) }
      }
      return steps
    }
    withExtendedLifetime(queues) {}
    report(steps)
    return next
  }

  /// The number of stores to visit each time that the lock is held.
  ///
  /// It is limited, because the creation of a watched store waits for the lock.
  private static var visitsAtOnce: Int { 256 }

  private func report(_ steps: [StateMachine.Step]) {
    for step in steps {
      let event: TurnReport.Event = step.event == .held ? .held : .ended
      onReport(TurnReport(event, step.details, held: step.held, age: step.age))
    }
  }
}
