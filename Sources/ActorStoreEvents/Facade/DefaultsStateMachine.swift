/// The default stores of facades, as pure logic.
///
/// The first user of a facade makes its store. Other users wait. A maker can use other facades, and so wait for other
/// makers. If these waits closed a cycle, they would never end, so `start` finds cycles.
struct DefaultsStateMachine<Facade: Hashable & Sendable, Store: Sendable, Waiter: Sendable>: Sendable {
  enum Start {
    case made(Store)
    /// The caller makes the store.
    case make
    /// The caller waits with this waiter until another thread has made the store.
    case wait(Waiter)
    /// The store depends on itself through these facades.
    case cycle([Facade])
  }

  private enum Entry: Sendable {
    case making(Waiter)
    case made(Store)
  }

  private var entries: [Facade: Entry] = [:]
  /// For each facade whose maker waits, the facade for which it waits.
  private var waits: [Facade: Facade] = [:]

  /// - Parameters:
  ///   - facade: The facade to use.
  ///   - outer: The facades whose stores the caller is making, from the outermost to the innermost.
  ///   - waiter: Makes a waiter for the users that wait for the caller.
  mutating func start(_ facade: Facade, madeFor outer: [Facade], _ waiter: () -> Waiter) -> Start {
    switch entries[facade] {
    case .made(let store): return .made(store)
    case nil:
      entries[facade] = .making(waiter())
      return .make
    case .making(let waiter):
      var path = [facade]
      while let last = path.last, !outer.contains(last), let next = waits[last] { path.append(next) }
      if let last = path.last, let first = outer.firstIndex(of: last) { return .cycle(outer[first...] + path) }
      // The outer makers wait for the innermost one.
      for maker in outer { waits[maker] = facade }
      return .wait(waiter)
    }
  }

  /// Records that the caller no longer waits.
  mutating func endWait(madeFor outer: [Facade]) {
    for maker in outer { waits[maker] = nil }
  }

  /// Records the store, and returns the waiter to release.
  mutating func end(_ facade: Facade, _ store: Store) -> Waiter? {
    defer { entries[facade] = .made(store) }
    if case .making(let waiter) = entries[facade] { return waiter }
    return nil
  }
}
