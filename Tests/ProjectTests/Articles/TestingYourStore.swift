import ActorStore
import ActorStoreTesting
import Testing

struct Library: Equatable, Sendable {
  var books: [String] = []
  var isLoading = false
}

struct Offline: Error, Equatable {}

/// Sets `isLoading`, downloads the books, and shows them.
struct Refresh: ActionGroup {
  let download: @Sendable () async throws(Offline) -> [String]

  func run(with store: Store<Library>) async throws(Offline) {
    await store.dispatch(Begin())
    let books = try await download()
    await store.dispatch(Show(books: books))
  }
}

struct Begin: Mutation {
  func run(_ library: inout Library) { library.isLoading = true }
}

struct Show: Mutation {
  let books: [String]
  func run(_ library: inout Library) { (library.books, library.isLoading) = (books, false) }
}

struct Borrow: Mutation {
  struct Missing: Error, Equatable {}

  let book: String
  func run(_ library: inout Library) throws(Missing) {
    guard let index = library.books.firstIndex(of: book) else { throw Missing() }
    library.books.remove(at: index)
  }
}

@Suite struct LibraryTests {
  @Test func borrowingWithAStore() async throws {
    let store = Store(Library(books: ["Emma", "Ulysses"]))
    try await store.dispatch(Borrow(book: "Emma"))
    #expect(await store.state.books == ["Ulysses"])
    await #expect(throws: Borrow.Missing()) { try await store.dispatch(Borrow(book: "Emma")) }
  }

  @Test func borrowing() async throws {
    let store = TestStore(Library(books: ["Emma", "Ulysses"]))
    try await store.dispatch(Borrow(book: "Emma")) { $0.books = ["Ulysses"] }
    await store.dispatch(Borrow(book: "Emma"), throws: Borrow.Missing())
    try await store.finish()
  }

  @Test func refreshing() async throws {
    let store = TestStore(Library())
    try await store.dispatch(Refresh { ["Emma"] })
    await store.receive(Begin.self) { $0.isLoading = true }
    await store.receive(Show.self) { $0 = Library(books: ["Emma"]) }
    try await store.finish()
  }

  @Test func refreshingOffline() async throws {
    let store = TestStore(Library())
    store.send(Refresh { () throws(Offline) in throw Offline() })
    await store.receive(Begin.self) { $0.isLoading = true }
    await store.receive(Refresh.self, throws: Offline())
    try await store.finish()
  }

  @Test func bothBooksArrive() async throws {
    let store = Store(Library())
    async let seen: Void = { _ = try await expectEqual(store.select(\.books.count).values, 2) }()
    store.send(Show(books: ["Emma", "Ulysses"]))
    try await seen
  }

  @Test func borrowingTheSameBook() throws {
    try Simulation.explore {
      let store = Store(Library(books: ["Emma"]))
      async let ann = try? store.dispatch(Borrow(book: "Emma"))
      async let bo = try? store.dispatch(Borrow(book: "Emma"))
      let borrowed = await [ann, bo].compactMap(\.self)
      try Simulation.expect(borrowed.count == 1, "\(borrowed.count) readers have Emma")
    }
  }

  @Test func aDownloadThatTakesAnHour() throws {
    try Simulation.explore(schedules: 100) {
      let clock = SimulationClock()
      let store = TestStore(Library())
      let refresh = Refresh { () async throws(Offline) in
        try? await clock.sleep(for: .seconds(3_600))
        return ["Emma"]
      }
      try await store.dispatch(refresh)
      await store.receive(Begin.self) { $0.isLoading = true }
      await store.receive(Show.self) { $0 = Library(books: ["Emma"]) }
      try await store.finish()
      try Simulation.expect(clock.now.offset == .seconds(3_600))
    }
  }
}
