import ActorStore

/// The examples in the article "Recipes".
enum Recipes {
  enum Retry {
    struct Page: Equatable, Sendable {
      var text = ""
    }

    struct Refresh: ActionGroup {
      let download: @Sendable () async throws -> String
      var attempts = 5
      var clock: any Clock<Duration> = ContinuousClock()

      func run(with store: Store<Page>) async throws {
        var delay = Duration.milliseconds(100)
        for attempt in 1...attempts {
          do {
            let text = try await download()
            try await store.dispatch { $0.text = text }.get()
            return
          } catch {
            if attempt == attempts || error is NotCommitted { throw error }
            try await clock.sleep(for: delay)
            delay = min(delay * 2, .seconds(10))
          }
        }
      }
    }
  }

  enum WriteAhead {
    struct Account: Equatable, Sendable {
      var balance = 0
    }

    struct Overdrawn: Error {}

    enum Entry: Equatable, Sendable {
      case deposit(Int)
      case withdrawal(Int)

      /// Changes an account, also when the app restores it from the journal.
      func apply(to account: inout Account) throws {
        switch self {
        case .deposit(let amount): account.balance += amount
        case .withdrawal(let amount) where amount <= account.balance: account.balance -= amount
        case .withdrawal: throw Overdrawn()
        }
      }
    }

    actor Journal {
      private let write: @Sendable (Entry) async throws -> Void
      private var failure: (any Error)?

      init(write: @escaping @Sendable (Entry) async throws -> Void) { self.write = write }

      /// Writes an entry, or throws the error of the first write that failed.
      func append(_ entry: Entry) async throws {
        if let failure { throw failure }
        do {
          try await write(entry)
        } catch {
          failure = error
          throw error
        }
      }
    }

    struct Record: Action {
      let entry: Entry
      let journal: Journal

      func run(_ account: inout Account) async throws {
        try entry.apply(to: &account)
        try await journal.append(entry)  // The last step.
      }
    }
  }

  enum SwappedStore {
    struct Cart: Equatable, Sendable {
      var items: [String] = []
    }

    struct Stores: Sendable {
      @TaskLocal static var current = Stores()

      var cart = Store(Cart(), name: "cart")
    }

    static func add(_ item: String) async {
      await Stores.current.cart.dispatch { $0.items.append(item) }
    }

    /// Runs the example, and returns the stores of the test.
    static func swap() async -> Stores {
      // In a test:
      let stores = Stores(cart: Store(Cart(items: ["tea"])))
      await Stores.$current.withValue(stores) { await add("milk") }
      return stores
    }
  }

  enum OneRow {
    struct Todos: Sendable {
      var order: [Int] = []
      var items: [Int: String] = [:]
    }

    @MainActor final class Rows {
      private let store: Store<Todos>
      private var rows: [Int: ObservableValue<String?>] = [:]

      init(_ store: Store<Todos>) { self.store = store }

      func appear(_ id: Int) -> ObservableValue<String?> {
        if let row = rows[id] { return row }
        let row = store.select(\.items[id]).observable(initial: nil)
        rows[id] = row
        return row
      }

      func disappear(_ id: Int) { rows[id] = nil }
    }
  }
}
