import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization

/// The samples of the README and the articles about stores.
extension InterruptedSample {
  static let all =
    [
      readmeServer, withdrawals, interest, books, quotes, retry, writeAhead, feature, countOperation,
      cheapState, retryingMiddleware, auditTrail,
    ] + waiting + modules

  // MARK: README

  private static let readmeServer = InterruptedSample("README: server") { run in
    let (shop, journal) = (run.store(Readme.Shop(left: 2)), Readme.Journal())
    let result = try await run.result {
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await Readme().buy(from: shop, journal) } }
        return await group.reduce(into: 0) { $0 += $1 == 200 ? 1 : 0 }
      }
    }
    let counts = try await [result.get(), 2 - shop.state.left, journal.count]
    try Simulation.expect(Set(counts).count == 1, "\(counts)")
  }

  // MARK: Serving requests

  private static let withdrawals = InterruptedSample("ServingRequests: withdraw") { run in
    let account = run.store(Account(balance: 10))
    let result = try await run.result {
      async let first = withdraw(4, from: account)
      async let second = withdraw(3, from: account)
      return await (first.status == 200 ? 4 : 0) + (second.status == 200 ? 3 : 0)
    }
    let (paid, balance) = try await (result.get(), account.state.balance)
    try Simulation.expect(paid + balance == 10, "\(paid) paid, \(balance) left")
  }

  // MARK: Getting started

  private static let interest = InterruptedSample("GettingStarted: AddInterest") { run in
    let account = run.store(Account(balance: 100))
    let result = try await run.result { try await account.dispatch(AddInterest { 10 }).get() }
    let balance = await account.state.balance
    try Simulation.expect(balance == (result.isSuccess ? 110 : 100), "\(balance)")
  }

  // MARK: Choosing an action

  private static let books = InterruptedSample("ChoosingAnAction: Refresh") { run in
    typealias Sample = ChoosingAnAction
    let store = run.store(Sample.Shelf())
    let result = try await run.result { try await store.dispatch(Sample.Refresh(library: .init())).get() }
    let shelf = await store.state
    try Simulation.expect(shelf.books == (result.isSuccess ? ["Emma"] : []), "\(shelf)")
    try run.expectEndOfLoading(shelf.isLoading)
  }

  private static let quotes = InterruptedSample("ChoosingAnAction: RefreshQuotes") { run in
    let store = run.store(ChoosingAnAction.Quotes())
    let result = try await run.result { try await ChoosingAnAction().refresh(store).get() }
    let euro = await store.state.euro
    try Simulation.expect(euro == (result.isSuccess ? 1.08 : 0), "\(euro)")
  }

  // MARK: Recipes

  private static let retry = InterruptedSample("Recipes: Refresh") { run in
    let (store, downloads) = (run.store(Recipes.Retry.Page()), Attempts())
    let refresh = Recipes.Retry.Refresh(
      download: {
        if downloads.next() == 1 { throw Unavailable() }
        return "text"
      }, clock: SimulationClock())
    let result = try await run.result { try await store.dispatch(refresh).get() }
    let text = await store.state.text
    try Simulation.expect(text == (result.isSuccess ? "text" : ""), "\(text)")
    try Simulation.expect(downloads.next() <= 3, "a text that was refused is downloaded again")
  }

  private static let writeAhead = InterruptedSample("Recipes: Record") { run in
    typealias Sample = Recipes.WriteAhead
    let store = run.store(Sample.Account())
    let written = Mutex<[Sample.Entry]>([])
    let journal = Sample.Journal { entry in
      written.withLock { $0.append(entry) }
      await Task.yield()
      if entry == .deposit(2) { throw Unavailable() }
    }
    let result = try await run.result {
      await withTaskGroup { group in
        for amount in 1...3 {
          group.addTask { try? await store.dispatch(Sample.Record(entry: .deposit(amount), journal: journal)) }
        }
        return await group.reduce(into: 0) { $0 += $1?.isCommitted == true ? 1 : 0 }
      }
    }
    let entries = written.withLock { $0 }
    var restored = Sample.Account()
    for entry in entries where entry != .deposit(2) { try entry.apply(to: &restored) }
    let (committed, account) = try await (result.get(), store.state)
    try Simulation.expect(account == restored, "\(account), \(entries)")
    try Simulation.expect(committed == entries.count { $0 != .deposit(2) }, "\(entries)")
    try Simulation.expect([nil, entries.count - 1].contains(entries.firstIndex(of: .deposit(2))), "\(entries)")
  }

  // MARK: Coming from other libraries

  private static let feature = InterruptedSample("ComingFromTCA: FactButtonTapped") { run in
    let store = run.store(ComingFromTCA.Feature())
    let result = try await run.result {
      try await store.dispatch(ComingFromTCA.FactButtonTapped { "\($0) is even" }).get()
    }
    let feature = await store.state
    try Simulation.expect(feature.fact == (result.isSuccess ? "0 is even" : nil), "\(feature)")
    try run.expectEndOfLoading(feature.isLoading)
  }

  private static let countOperation = InterruptedSample("ComingFromAtlas: CountOperation") { run in
    let store = run.store(CountState(count: 0))
    let result = try await run.result { try await store.dispatch(CountOperation()).get() }
    let count = await store.state.count
    try Simulation.expect(result.isSuccess ? count == 2 : (0...3).contains(count), "\(count)")
  }

  // MARK: Performance

  private static let cheapState = InterruptedSample("Performance: a state that is cheap to edit") { run in
    let store = run.store(Book())
    _ = try await run.result { try await keepingAStateCheap(store) }
    let entries = await store.state.entries
    try Simulation.expect(entries.count < 3 || entries[2] == "no more", "\(entries)")
  }

  // MARK: Around an action

  private static let retryingMiddleware = InterruptedSample("AroundAnAction: Retry") { run in
    let attempts = Attempts()
    let store = run.store(AroundAnAction.Shop(), middleware: [AroundAnAction.Retry(attempts: 3)])
    let result = try await run.result {
      try await store.dispatch { shop async throws in
        shop.items.append("tea")
        if attempts.next() == 1 { throw Unavailable() }
      }.get()
    }
    let items = await store.state.items
    try Simulation.expect(items == (result.isSuccess ? ["tea"] : []), "\(items)")
  }

  private static let auditTrail = InterruptedSample("AroundAnAction: AuditTrail") { run in
    let audit = Store(AroundAnAction.Audit())
    let shop = run.store(AroundAnAction.Shop(items: ["tea"]), guards: [AroundAnAction.AuditTrail(audit: audit)])
    _ = try await run.result {
      async let sale = try? shop.dispatch(AroundAnAction.Sell())
      async let close = shop.dispatch(AroundAnAction.Close())
      _ = await (sale, close)
    }
    try await audit.closeAndDrain()
    let lines = await audit.state.lines
    try Simulation.expect(lines.count == 2, "\(lines)")
  }
}

struct Unavailable: Error {}

final class Attempts: Sendable {
  private let count = Mutex(0)

  /// Counts from 1.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
