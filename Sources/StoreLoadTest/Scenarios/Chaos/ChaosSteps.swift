import ActorStore
import Atoms

/// An atom that one thread increases, and the closures, delayed reads, and runs that follow it.
struct ChaosSteps: Sendable {
  static let delay = Duration.seconds(1)

  let atom: Atom<Int>
  let thirds: DerivedAtom<Int>
  let debounced: DerivedAtom<Int>
  let throttled: DerivedAtom<Int>
  let search: AsyncAtom<Int>

  /// The calls of two closures of the atom.
  ///
  /// The second closure skips the first two values.
  let updates = [ChaosUpdates(), ChaosUpdates(skip: 2)]
  private let updatesOfThirds: ChaosDelayed
  private let debouncedValues: ChaosDelayed
  private let throttledValues: ChaosDelayed
  private let searches: ChaosDelayed
  private let times: ChaosTimes

  init(_ clock: ChaosClock) {
    let (times, updates) = (ChaosTimes(clock), updates)
    let (updatesOfThirds, searches) = (ChaosDelayed(.none, times), ChaosDelayed(.debounce, times, isAsync: true))
    let atom = Atom(0, lifetime: .kept).onUpdate {
      updates[0].saw($0)
    }.onUpdate(skip: 2) {
      updates[1].saw($0, after: updates[0])
    }
    self.atom = atom
    thirds = DerivedAtom { atom.value / 3 }.onUpdate { updatesOfThirds.saw($0) }
    debounced = DerivedAtom {
      @UseAtomValue(atom, debounce: Self.delay) var value
      return value
    }
    throttled = DerivedAtom {
      @UseAtomValue(atom, throttle: Self.delay) var value
      return value
    }
    search = AsyncAtom(lifetime: .kept) {
      @UseAtomValue(atom, debounce: Self.delay) var value
      let seen = value
      searches.saw(seen)
      if seen % 4 == 0 { await Task.yield() }
      return seen
    }
    self.times = times
    self.updatesOfThirds = updatesOfThirds
    self.searches = searches
    debouncedValues = ChaosDelayed(.debounce, times)
    throttledValues = ChaosDelayed(.throttle, times)
    for update in updates { update.willSet(0) }
  }

  private var delayed: [ChaosDelayed] { [debouncedValues, throttledValues, searches] }

  /// Begins observations, so that each change is delivered.
  func observe(in store: AtomStore) -> [AtomObservation] {
    let (debouncedValues, throttledValues) = (debouncedValues, throttledValues)
    return [
      store.observe(thirds) { _ in },
      store.observe(debounced) { debouncedValues.saw($0) },
      store.observe(throttled) { throttledValues.saw($0) },
      store.observe(search) { _ in },
    ]
  }

  /// Notes a value to which the atom is about to be set, and which its closures must see.
  func willSet(_ value: Int) {
    times.willSet(upTo: value)
    for update in updates { update.willSet(value) }
  }

  /// Notes that the atom is about to be reset.
  func willReset() {
    for update in updates { update.willSet(0) }
    updatesOfThirds.restart()
  }

  // MARK: Checking

  /// Returns a problem, or `nil` if the closures have seen the newest value.
  ///
  /// Called after all deliveries.
  func problemAtEnd(_ newest: Int) -> String? {
    for update in updates where !update.isDone { return "an onUpdate closure missed values: \(update.missed)" }
    let last = updatesOfThirds.last
    return last == newest / 3 ? problem : "onUpdate of a derived atom: expected \(newest / 3), saw \(last)"
  }

  /// The first problem that a closure has found.
  var problem: String? {
    (updates.map(\.problem) + ([updatesOfThirds] + delayed).map(\.problem)).lazy.compactMap(\.self).first
  }

  /// The number of runs of the asynchronous atom that have read the atom.
  var runs: Int { searches.count }

  /// Begins to check delays.
  ///
  /// The first values have none.
  func beginTimes() { for each in delayed { each.beginTimes() } }

  /// Sets whether the newest change must be one delay old when a debounced value arrives.
  ///
  /// While other threads run, a debounced read can also see a change that they have just made.
  func setQuiet(_ isQuiet: Bool) { for each in [debouncedValues, searches] { each.setQuiet(isQuiet) } }
}

/// The greatest values that a thread has seen among the followers of one thread's steps.
struct ChaosSeenSteps: Sendable {
  private var greatest = ["debounced": 0, "throttled": 0, "latest": 0]

  /// Returns a problem with a value that follows the steps and must never go back, or `nil`.
  mutating func problem(_ what: String, _ seen: Int, _ newest: Int) -> String? {
    let former = greatest[what, default: 0]
    greatest[what] = seen
    if seen < former { return "\(what): saw \(seen) after \(former)" }
    return seen > newest ? "\(what): saw \(seen), but the atom has \(newest)" : nil
  }
}
