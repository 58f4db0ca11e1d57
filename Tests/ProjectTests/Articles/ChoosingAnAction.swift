import ActorStore

/// The examples in the article "Choosing an action".
struct ChoosingAnAction {
  struct Shelf: Equatable, Sendable {
    var books: [String] = []
    var isLoading = false
  }

  actor Library {
    func download() throws -> [String] { ["Emma"] }
  }

  struct Refresh: ActionGroup {
    let library: Library

    func run(with store: Store<Shelf>) async throws {
      try await store.dispatch { $0.isLoading = true }.get()
      // Sent, so that it also runs after an error or a cancellation.
      defer { store.send { $0.isLoading = false } }
      let books = try await library.download()
      try await store.dispatch { $0.books = books }.get()
    }
  }

  struct Quotes: Equatable, Sendable {
    var euro = 0.0
  }

  struct RefreshQuotes: Action {
    let download: @Sendable () async throws -> Quotes

    func run(_ quotes: inout Quotes) async throws { quotes = try await download() }
  }

  /// Runs the examples of slow work, and returns the states of the shelf after each.
  func downloadBooks() async throws -> [Shelf] {
    let (store, library) = (Store(Shelf()), Library())

    let books = try await library.download()  // Can take seconds.
    await store.dispatch { $0.books = books }  // Takes microseconds.

    let first = await store.state
    try await store.dispatch(Refresh(library: library))
    return [first, try await store.select().first { !$0.isLoading }]
  }

  /// Runs the example of an overlapping action, and returns the quotes at its end.
  func refreshQuotes() async throws -> Quotes {
    let store = Store(Quotes())
    _ = try await refresh(store)
    return await store.state
  }

  func refresh(_ store: Store<Quotes>) async throws -> Outcome<Void> {
    try await store.dispatch(RefreshQuotes { Quotes(euro: 1.08) }, policy: .overlapping)
  }
}
