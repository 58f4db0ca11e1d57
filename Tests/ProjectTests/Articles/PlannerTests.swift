import ActorStore
import ActorStoreEvents
import Testing

@Suite struct PlannerTests {
  @Test func aLinkLeadsToItsPageAfterTheLogin() async throws {
    let store = Planner.makeStore(Planner(todos: ["milk", "eggs"]))
    let eggs = try Place.links.route(for: "https://planner.example/todos/1?utm_source=mail")
    let outcome = await store.dispatch(.routes(.open(eggs)))
    guard case .vetoed = outcome else { fatalError("the page needs a login") }
    _ = try await store.select(\.routes.current).first { $0 == .login }

    try await store.dispatch([.loggedIn("Ada"), .routes(.resumed)]).get()
    _ = try await store.select(\.page).first { $0 == "todo: eggs" }
    #expect(try await Place.links.link(to: store.state.routes.current) == "/todos/1")
  }

  @Test func theTerminalShowsThePages() async throws {
    let store = Planner.makeStore()
    let (lines, line) = AsyncStream<String>.makeStream()
    let shell = PlannerShell(store) { line.yield($0) }
    await store.select(\.page).connect(shell)
    var seen = lines.makeAsyncIterator()
    #expect(await seen.next() == "todos: ")
    for (command, expected) in [
      ("add milk", "todos: milk"), ("open /settings", "Who are you?"), ("login Ada", "settings of Ada"),
      ("open planner://todos/0", "todo: milk"), ("back", "todos: milk"), ("back", "pop is not possible now"),
      ("open /todo", #"/: no link continues with "todo""#), ("jump", "What?"),
    ] {
      await shell.obey(command)
      // The terminal can also show the page between a login and the page that follows.
      while let line = await seen.next(), line != expected {}
    }
  }
}
