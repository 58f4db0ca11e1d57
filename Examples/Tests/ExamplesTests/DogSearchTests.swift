import ActorStore
import ActorStoreTesting
import Atoms
import DogSearch
import Testing

/// The search in virtual time, so that the pauses of the user and the server take no time.
@Suite struct DogSearchTests {
  /// What the user enters after a pause in milliseconds.
  private typealias Step = (pause: Int, line: String)

  /// Runs the program with a script under many schedules, and checks its output and its requests.
  private static func explore(
    _ steps: [Step], _ check: @escaping @Sendable (_ screens: [String], _ searches: [String]) throws -> Void
  ) throws {
    try Simulation.explore(.mixed(seed: 1), schedules: 50, timers: .race(upTo: 0)) {
      let (clock, printer, searches) = (SimulationClock(), Printer(), Printer())
      let store = AtomStore(clock: clock)
      let server = DogServer.local(clock)
      store.inject(
        dogServerAtom,
        value: DogServer { text in
          searches.print(text)
          return try await server.search(text)
        })
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      await store.callAsCurrent {
        async let program: Void = DogSearch.run(lines, print: printer.print)
        for step in steps {
          try? await clock.sleep(for: .milliseconds(step.pause))
          continuation.yield(step.line)
        }
        continuation.finish()
        await program
      }
      try check(printer.all, searches.all)
    }
  }

  @Test func aSearchBeginsAfterAPause() throws {
    try Self.explore([(1_000, "p"), (100, "po"), (100, "pood")]) { screens, searches in
      try Simulation.expect(searches == ["", "pood"], "searches: \(searches)")
      try Simulation.expect(screens.last == "Poodle", "\(screens)")
      try Simulation.expect(screens.count == 4, "\(screens)")
    }
  }

  @Test func theNewestSearchWins() throws {
    // The second text comes while the server still looks for the first one.
    try Self.explore([(1_000, "pug"), (400, "boxer")]) { screens, searches in
      try Simulation.expect(searches == ["", "pug", "boxer"], "searches: \(searches)")
      try Simulation.expect(screens.last == "Boxer" && !screens.contains("Pug"), "\(screens)")
    }
  }

  @Test func aFailureCanBeTriedAgain() throws {
    try Self.explore([(1_000, "error"), (1_000, ":reload"), (1_000, "pug"), (1_000, ":nonsense")]) {
      screens, searches in
      try Simulation.expect(searches == ["", "error", "error", "pug"], "searches: \(searches)")
      let failure = "The server is not available. Enter :reload to try again."
      try Simulation.expect(screens.count { $0 == failure } == 2, "\(screens)")
      try Simulation.expect(screens.suffix(2).first == "Pug", "\(screens)")
      try Simulation.expect(screens.last?.contains("is not a command") == true, "\(screens)")
    }
  }

  @Test func withoutInputAllDogsAreShown() throws {
    try Self.explore([]) { screens, searches in
      try Simulation.expect(searches == [""] && screens.count == 2, "\(screens)")
      try Simulation.expect(screens.last?.hasPrefix("Beagle") == true, "\(screens)")
    }
  }

  @Test func spacesAroundATextDoNotMatter() throws {
    try Self.explore([(1_000, "  pug "), (1_000, " :quit\t"), (0, "boxer")]) { screens, searches in
      try Simulation.expect(searches == ["", "pug"] && screens.last == "Pug", "\(screens)")
    }
  }

  @Test(arguments: [":", ":stop", ":QUIT", ":reload now", "::"]) func anUnknownCommandIsAnError(_ line: String) throws {
    try Self.explore([(1_000, line)]) { screens, searches in
      let message = "\"\(line)\" is not a command. Commands: :reload, :cancel, :quit"
      try Simulation.expect(searches == [""] && screens.last == message, "\(screens)")
    }
  }

  @Test func theFirstSearchCanBeCanceled() throws {
    try Self.explore([(100, ":cancel"), (100, ":cancel")]) { screens, _ in
      let message = "The search was canceled. Enter :reload to try again."
      try Simulation.expect(screens == ["Searching ...", message], "\(screens)")
    }
  }

  @Test func aSearchCanBeCanceled() throws {
    try Self.explore([(1_000, "pug"), (500, ":cancel")]) { screens, _ in
      try Simulation.expect(screens.last?.hasPrefix("Beagle") == true, "\(screens)")
    }
  }
}
