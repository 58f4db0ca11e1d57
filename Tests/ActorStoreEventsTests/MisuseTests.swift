import ActorStore
import ActorStoreEvents
import TestSize
import Testing

/// Misuse stops the program with a message, also in release builds.
@Suite struct MisuseTests {
  @Test func anInvalidPattern() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LinkPattern<Int>("todos", 1)
    }
    #expect(errorText(of: result).contains(#"ActorStoreEvents: "todos" is not a valid pattern of links."#))
  }

  @Test func aPatternWithoutValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LinkPattern<Int>("/todos/:id", 1)
    }
    #expect(errorText(of: result).contains(#"the pattern "/todos/:id" has 1 parameters, but its route has 0 values."#))
  }

  @Test func anOptionalPartWithANonoptionalType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LinkPattern<Int>("/a(/:id)", route: { (a: Int) in a }, values: { $0 })
    }
    #expect(errorText(of: result).contains(#"the pattern "/a(/:id)" has optional parts"#))
  }

  @Test func aRouterWithTwoStores() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let router = PageApp.makeRouter()
      let store = Store(PageApp(), guards: [router.makeGuard()])
      router.attach(to: store)
      router.attach(to: store)
    }
    #expect(errorText(of: result).contains("ActorStoreEvents: the router is already attached to a store."))
  }

  @Test func aStreamWithoutRoom() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store(1).select(\.self).values(strategy: .debounced(for: .seconds(1)), bufferingPolicy: .bufferingOldest(0))
    }
    #expect(errorText(of: result).contains("a stream that keeps 0 values would deliver none. Keep at least one."))
  }

  private enum Tabless: String, Routable {
    case only
    static var tabs: [Tabless] { [] }
  }

  @Test func routesWithoutTabs() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Routes<Tabless>()
    }
    #expect(errorText(of: result).contains("Declare at least one tab, and no tab twice."))
  }
}
