import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import TestSize
import Testing

/// Rules while other events arrive, under many schedules.
@Suite struct SimulatedRouterTests {
  /// A login ends while a second link arrives.
  ///
  /// In every schedule, the user ends up at the last link, and no login sheet remains.
  @Test func e17_aLoginEndsWhileALinkArrives() throws {
    try Simulation.explore(.mixed(seed: 0), schedules: TestSize.count(1_000, few: 100), timers: .race(upTo: 0)) {
      let store = PageApp.makeStore()
      await store.dispatch(.routes(.open(.todo(1))))
      _ = try await store.select(\.routes.current).first { $0 == .login }
      await withTaskGroup { group in
        group.addTask { await store.dispatch([.loggedIn, .routes(.resumed)]) }
        group.addTask { await store.dispatch(.routes(.open(.todo(2)))) }
      }
      // The router also sends events.
      try await SimulationClock().sleep(for: .seconds(1))
      let app = await store.state
      try Simulation.expect(app.isLoggedIn, "the login is lost")
      try Simulation.expect(app.routes.sheets.isEmpty, "a sheet is left: \(app.routes)")
      try Simulation.expect(app.routes.current == .todo(2), "the last link is lost: \(app.routes)")
    }
  }

  /// An event that goes back is redirected together with a link.
  ///
  /// It must not leave the login that appears for the link.
  @Test func e17_anEventThatGoesBackLosesNoLink() throws {
    try Simulation.explore(.mixed(seed: 2), schedules: TestSize.count(1_000, few: 100), timers: .race(upTo: 0)) {
      var app = PageApp()
      app.routes.push(.todo(1))
      app.routes.present(.settings)
      let store = PageApp.makeStore(app)
      await withTaskGroup { group in
        group.addTask { await store.dispatch(.routes(.open(.todo(7)))) }
        group.addTask { await store.dispatch(.routes(.dismiss)) }
      }
      try await SimulationClock().sleep(for: .seconds(1))
      let waiting = await store.state.routes
      // If the login had already appeared, the user has dismissed it.
      if waiting.current != .login {
        return try Simulation.expect(waiting.current == .settings, "the wrong sheet is left: \(waiting)")
      }
      await store.dispatch([.loggedIn, .routes(.resumed)])
      try await SimulationClock().sleep(for: .seconds(1))
      let routes = await store.state.routes
      try Simulation.expect(routes.current == .todo(7) && routes.sheets.isEmpty, "the link is lost: \(routes)")
    }
  }

  /// The changes are saved while a question about them is about to be asked.
  @Test func e17_changesAreSavedBeforeTheQuestion() throws {
    try Simulation.explore(.mixed(seed: 1), schedules: TestSize.count(1_000, few: 100)) {
      var app = PageApp()
      (app.isLoggedIn, app.hasChanges) = (true, true)
      app.routes.open(.edit(1))
      let store = PageApp.makeStore(app)
      let commits = store.events()
      await withTaskGroup { group in
        group.addTask { await store.dispatch(.routes(.pop)) }
        group.addTask { await store.dispatch(.saved) }
      }
      try await SimulationClock().sleep(for: .seconds(1))
      let routes = await store.state.routes
      // A question that was asked before the changes were saved remains, because nothing has withdrawn it.
      try Simulation.expect(routes.question == nil || routes.current == .edit(1), "the routes are \(routes)")
      store.close()
      for await commit in commits {
        guard case .routes(.asked)? = commit.events.first else { continue }
        try Simulation.expect(commit.old?.hasChanges == true, "a question about saved changes")
      }
    }
  }
}
