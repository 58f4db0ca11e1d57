import ActorStore

/// The examples in the article "Watching the state".
struct Watching {
  struct Entry: Equatable, Sendable {
    var amount = 0
    var currency = ""
  }

  struct Account: Sendable {
    var balance = 0
    var title = ""
    var entries: [Int: Entry] = [:]  // By ID.
    var rates: [String: Int] = [:]

    /// Runs only if the entries or the rates have changed.
    static let worth = Selection(\Account.entries, \.rates) { entries, rates in
      entries.values.reduce(0) { $0 + $1.amount * (rates[$1.currency] ?? 0) }
    }

    /// One selection for each ID, whose value is `nil` while there is no such entry.
    static let entry = Selection.family { (id: Int) in Selection { (account: Account) in account.entries[id] } }

    /// Runs only if the worth or the title has changed.
    static let headline = Selection.combine(worth, Selection(\.title)).map { worth, title in "\(title): \(worth)" }
  }

  @MainActor final class BalanceLabel {
    private(set) var text = ""

    init(_ store: Store<Account>) {
      store.select(\.balance).observe(self, bufferingPolicy: .bufferingNewest(1)) { label, balance in
        label.text = "\(balance)"
      }
    }
  }

  /// Keeps the output of the tests short.
  private func print(_ text: some Any) {}

  /// Runs the examples, and returns the balance that was waited for.
  func run() async throws -> Int {
    let store = Store(Account())
    let label = await BalanceLabel(store)

    let balance = await store.select(\.balance).observable
    print(await balance.value)

    await store.dispatch { $0.balance = 100 }
    let rich = try await store.select(\.balance).first(within: .seconds(60)) { $0 >= 100 }
    while await label.text != "100" { await Task.yield() }
    store.close()
    await showTitles(of: store)
    return rich
  }

  func showTitles(of store: Store<Account>) async {
    let titles = store.select(\.title).values
    for await title in titles { print(title) }
  }

  /// Runs the example of transitions, and returns the balance.
  func follow() async -> Int {
    let store = Store(Account())

    let transitions = store.transitions()
    await store.dispatch(label: "deposit") { $0.balance = 10 }
    store.close()
    await show(transitions)
    return await store.state.balance
  }

  func show(_ transitions: some AsyncSequence<Transition<Account>, Never>) async {
    for await transition in transitions {
      guard let action = transition.action, let old = transition.old else { continue }  // The first element.
      print("\(transition.revision): \(action) changed the balance by \(transition.new.balance - old.balance)")
    }
  }

  /// Runs the examples of selections, and returns the values that they show.
  func select() async -> (current: Int, headlines: [String], amount: Int?, hundreds: [Int]) {
    let store = Store(Account(title: "Ada", entries: [3: Entry(amount: 2, currency: "EUR")], rates: ["EUR": 10]))

    let worth = store.select(Account.worth)
    print(await worth.current)  // 20
    let headlines = store.select(Account.headline).values
    let amount = store.select(Account.entry(3).appending(\.?.amount))

    let hundreds = store.select(Selection(\.balance), .by { $0 / 100 == $1 / 100 })

    let values = hundreds.values
    await store.dispatch { $0.entries[3]?.amount = 3 }
    for balance in [99, 100, 101, 200] { await store.dispatch { $0.balance = balance } }
    store.close()
    return await (
      worth.current, headlines.reduce(into: []) { $0.append($1) }, amount.current,
      values.reduce(into: []) { $0.append($1) }
    )
  }
}
