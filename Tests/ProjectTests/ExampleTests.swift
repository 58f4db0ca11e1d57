import ActorStore
import ActorStoreTesting
import Foundation
import Synchronization
import Testing

/// The examples in the README and the articles do what the text says.
@Suite struct ExampleTests {
  // MARK: README

  @Test func theReadmesStoreSellsATicket() async throws {
    let shop = try await Readme().buy(journal: .init())
    #expect(await shop.state.left == 0)
  }

  @Test func readmeReportsTheRace() throws {
    let failure = try #require(throws: Simulation.Failure.self) { try Readme().oneTicketIsSoldOnce() }
    // The declarations of the README are not inside of a type.
    try expectReport(in: "README.md", of: failure.description.replacing("Readme.", with: ""))
    #expect(try Readme().oneTicketIsSoldOnceByTheStore().isComplete)
  }

  @Test @MainActor func theReadmesViewShowsTheShop() async throws {
    let shop = Store(Readme.Shop())
    let view = Readme.ShopView(shop: shop, left: shop.select(\.left).observable(initial: 0))
    #expect(view.left.value == 1)
    _ = view.body
    #if !canImport(SwiftUI)
      let screen = Screen(view)
      #expect(screen.texts == ["Tickets left: 1"])
      screen.buttons[0].action()
      #expect(try await shop.select(\.left).first(within: .seconds(60)) { $0 == 11 } == 11)
    #endif
  }

  // MARK: Articles

  @Test func gettingStarted() async throws {
    try await quickStart()
    try await moreKindsOfActions()
    await watchingTheState()
  }

  @Test func aStoreWithAnExecutorServesRequests() async {
    #expect(await withdrawWithExecutor(4) == 6)
  }

  @Test func handlersMapOutcomesToStatusCodes() async throws {
    let account = Store(Account(balance: 10))
    #expect(await withdraw(4, from: account) == Response(status: 200, body: "6"))
    #expect(await withdraw(40, from: account) == Response(status: 409, body: "missing 34"))
    let canceled = Task.inheritingExecutor {
      withUnsafeCurrentTask { $0?.cancel() }
      return await withdraw(1, from: account)
    }
    #expect(await canceled.value == Response(status: 499))
    let nested = await account.dispatch { _ async in await withdraw(1, from: account) }
    #expect(nested.output == Response(status: 202))
    try await shutDown(account)
    try await shutDown([account], Store([:]), Store([]))
    #expect(await withdraw(1, from: account).status == 503)
    let guarded = Store(Account(), guards: [OpenAccount()])
    #expect(await withdraw(1, from: guarded) == Response(status: 403, body: "the account is empty"))
  }

  private enum End: CaseIterable { case client, server, store, error, cancellation }
  private struct BrokenPipe: Error {}

  /// A handler that follows a store ends, and leaves no stream behind, although the store is idle.
  @Test(arguments: End.allCases) private func aFollowedStreamEnds(with end: End) throws {
    try Simulation.explore(schedules: 300) {
      let account = Store(Account(balance: 5))
      let (connection, disconnect) = AsyncStream<Never>.makeStream()
      let (signal, shutDown) = AsyncStream<Never>.makeStream()
      let events = Mutex<[String]>([])
      let client = EventStream(
        write: { event in
          if end == .error, event == "6" { throw BrokenPipe() }
          events.withLock { $0.append(event) }
        }, connection: connection)
      let handler = Task.inheritingExecutor {
        try await follow(account, client) { for await _ in signal {} }
      }
      while events.withLock({ $0.isEmpty }) { await Task.yield() }
      switch end {
      case .client: disconnect.finish()
      case .server: shutDown.finish()
      case .store: account.close()
      case .error: account.send { $0.balance += 1 }
      case .cancellation: handler.cancel()
      }
      _ = await handler.result
      try Simulation.expect(account.subscriberCount == 0)
      withExtendedLifetime((disconnect, shutDown)) {}
    }
  }

  @Test func overview() async {
    #expect(await Overview().run() == 3)
  }

  @Test func choosingAnAction() async throws {
    let shelves = try await ChoosingAnAction().downloadBooks()
    #expect(shelves == [.init(books: ["Emma"]), .init(books: ["Emma"])])
    #expect(try await ChoosingAnAction().refreshQuotes().euro == 1.08)
  }

  @Test func watching() async throws {
    #expect(try await Watching().run() == 100)
    #expect(await Watching().follow() == 10)
    let shown = await Watching().select()
    #expect(shown == (30, ["Ada: 20", "Ada: 30"], 3, [0, 100, 200]))
  }

  @Test func waitingInTheSameStore() async throws {
    #expect(try await WaitingInsideAnAction().sameStore() == ["Emma", "Emma"])
  }

  /// A simulation finds each deadlock that a store cannot see, but reports the detached task as an escape.
  @Test func waitsThatAStoreCannotSee() throws {
    let examples = WaitingInsideAnAction()
    #expect(verdict { await examples.detachedTask() } == .escaped(.unstructuredTask))
    #expect(verdict { await examples.unrelatedTask() } == .deadlock)
    #expect(verdict { await examples.continuation() } == .deadlock)
    #expect(verdict { await examples.onlyStreams() } == .deadlock)
  }

  private func verdict(_ body: @escaping @Sendable () async -> Void) -> Simulation.Verdict? {
    #expect(throws: Simulation.Failure.self) { try Simulation.explore(body: body) }?.verdict
  }

  @Test func keepingAStateCheapToEdit() async throws {
    #expect(try await keepingAStateCheap() == ["first", "second", "no more"])
  }

  @Test @MainActor func comingFromTCA() async throws {
    try await ComingFromTCA().incrementing()
    #expect(try await ComingFromTCA().askingForAFact() == .init(fact: "0 is even"))
    let store = Store(ComingFromTCA.Feature())
    _ = ComingFromTCA.FeatureView(store: store, count: await store.select(\.count).observable).body
  }

  @Test func comingFromAtlasRuns() async throws {
    #expect(try await comingFromAtlas() == [14, 1])
  }

  @Test func ticketShopArticleShowsTheReport() throws {
    let failure = try #require(throws: Simulation.Failure.self) { try nothingIsSoldTwice() }
    let article = "Sources/ActorStoreTesting/ActorStoreTesting.docc/FindingTheSchedule.md"
    try expectReport(in: article, of: failure.description)
    let deadlock = try #require(throws: Simulation.Failure.self) { try bothCooksWait() }.description
    let waits = try #require(
      deadlock.components(separatedBy: "\n\n").first { $0.hasPrefix("waiting tasks") }, "\(deadlock)")
    #expect(try Project.text(article).contains("```\n\(waits)\n```"), "\(deadlock)")
    for exploration in [try nothingIsSoldTwiceAnyMore(), try threeShopsSell()] {
      #expect(try Project.text(article).contains("This function returns `\(exploration)`"), "\(exploration)")
    }
  }

  /// Expects that a document shows the report of a failure, except for its toolchain.
  private func expectReport(in document: String, of failure: String) throws {
    func withoutToolchain(_ report: String) -> [Substring] {
      report.split(separator: "\n").filter { !$0.hasPrefix("  built with") }
    }
    let blocks = try Project.text(document).components(separatedBy: "```\n")
    let shown = try #require(blocks.first { $0.hasPrefix("The body threw") }, "\(document) has no report: \(failure)")
    #expect(withoutToolchain(shown) == withoutToolchain(failure), "\(failure)")
  }
}
