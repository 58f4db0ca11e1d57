import ActorStore
import ActorStoreHistory
import ActorStoreOptimistic
import ActorStoreTesting
import Atoms
import Foundation

/// The samples of the articles about history, optimistic updates, and atoms.
extension InterruptedSample {
  static let modules = [sketchFile, rename, atomsInterest, atomsRate]

  private static let sketchFile = InterruptedSample("TravelingThroughTime: load") { run in
    let url = FileManager.default.temporaryDirectory.appending(component: "sketch-\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let history = History<Sketch>()
    let saved = Store(Sketch(), guards: [history])
    try await saved.dispatch(Draw(stroke: "line")).get()
    try await save(history, to: url)

    let loaded = History<Sketch>()
    let store = run.store(Sketch(), guards: [loaded])
    let result = try await run.result { try await load(url, into: store, loaded) }
    let strokes = await store.state.strokes
    try Simulation.expect(strokes == (result.isSuccess ? ["line"] : []), "\(strokes)")
  }

  private static let rename = InterruptedSample("ActorStoreOptimistic: rename") { run in
    let document = run.store(OptimisticOverview.Document())
    let server = OptimisticOverview.Server { _, _ in await Task.yield() }
    let result = try await run.result {
      try await OptimisticOverview.rename(document, to: "Draft", on: server)
    }
    let title = await document.state.title
    try Simulation.expect(title.confirmed == (result.isSuccess ? "Draft" : "Untitled"), "\(title)")
    // The guard may also refuse the confirmation.
    try Simulation.expect(!title.isPending || run.interruption == .veto, "\(title)")
  }

  private typealias Beside = AtomsBesideAStoreTests

  private static let atomsInterest = InterruptedSample("AtomsBesideAStore: interest") { run in
    let (atoms, account) = (AtomStore(), run.store(Beside.Account(balance: 500)))
    let interest = Beside.makeInterest(for: account)
    let result = try await run.result { try await atoms.result(of: interest) }
    let balance = await account.state.balance
    // A canceled wait does not cancel the run, which may have committed.
    try Simulation.expect(balance == 505 || !result.isSuccess && balance == 500, "\(result), \(balance)")
  }

  private static let atomsRate = InterruptedSample("AtomsBesideAStore: a rate that is awaited first") { run in
    let (atoms, account) = (AtomStore(), run.store(Beside.Account()))
    let rate = Beside.makeRate(for: account)
    _ = try await run.result {
      try await atoms.callAsCurrent { () async throws in try await Beside.setRate(of: account, to: rate) }
    }
    let last = await account.state
    try Simulation.expect([1, 7].contains(last.rate), "\(last)")
  }
}
