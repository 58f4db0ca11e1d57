import ActorStore
import ActorStoreHistory

/// The samples with a loop over a stream.
///
/// The run expects that no stream is left.
extension InterruptedSample {
  /// The loops that end with their task and with their store.
  static let loops = [titles, transitions, commits, states]

  /// The loops that end only with their task.
  static let loopsOfATask = [timelines, streamsInsideActions]

  private static let titles = InterruptedSample("Watching: titles") { run in
    let store = run.store(Watching.Account())
    store.send { $0.title = "Ada" }
    _ = try await run.result { await Watching().showTitles(of: store) }
  }

  private static let transitions = InterruptedSample("Watching: transitions") { run in
    let store = run.store(Watching.Account())
    let transitions = store.transitions()
    store.send { $0.balance += 1 }
    _ = try await run.result { await Watching().show(transitions) }
  }

  private static let commits = InterruptedSample("AroundAnAction: transitions") { run in
    let store = run.store(AroundAnAction.Shop())
    let transitions = store.transitions()
    store.send(AroundAnAction.Close())
    _ = try await run.result { await AroundAnAction().history(of: transitions) }
  }

  /// The sample closes its own store.
  private static let states = InterruptedSample("GettingStarted: states") { run in
    _ = try await run.result { await watchingTheState() }
  }

  /// The loop of a SwiftUI view, which is not available on Linux, over the same stream.
  private static let timelines = InterruptedSample("TravelingThroughTime: timelines") { run in
    let history = History<Sketch>()
    let store = run.store(Sketch(), guards: [history])
    store.send(Draw(stroke: "line"))
    _ = try await run.result { for await timeline in history.timelines { _ = history.screen(timeline) } }
  }

  private static let streamsInsideActions = InterruptedSample("Waiting: streams alone") { run in
    let (checking, savings) = (run.store(WaitingInsideAnAction.Account()), run.store(WaitingInsideAnAction.Account()))
    _ = try await run.result { await WaitingInsideAnAction().onlyStreams(checking, savings) }
  }
}
