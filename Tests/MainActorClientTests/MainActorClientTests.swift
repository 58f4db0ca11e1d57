import ActorStore
import Testing

// A client whose default isolation is the main actor, written as the article "Questions and answers" recommends.

nonisolated struct Counter: Sendable {
  var count = 0
}

struct Increment: Mutation {
  func run(_ counter: inout Counter) { counter.count += 1 }
}

struct Reset {}

nonisolated extension Reset: Mutation {
  func run(_ counter: inout Counter) { counter.count = 0 }
}

struct TooMuch: Error, Equatable {}

struct Add: Action {
  var amount: Int

  func run(_ counter: inout Counter) async throws(TooMuch) -> Int {
    if amount > 10 { throw TooMuch() }
    await Task.yield()
    counter.count += amount
    return counter.count
  }
}

// Where `run` executes. Each action returns whether that is the main actor.

struct InDeclaration: Action {
  func run(_ counter: inout Counter) async -> Bool { isOnMainActor() }
}

struct InDeclarationWithoutAwait: Action {
  func run(_ counter: inout Counter) -> Bool { isOnMainActor() }
}

struct InExtension {}

extension InExtension: Action {
  func run(_ counter: inout Counter) async -> Bool { isOnMainActor() }
}

struct InExtensionWithoutAwait {}

extension InExtensionWithoutAwait: Action {
  func run(_ counter: inout Counter) -> Bool { isOnMainActor() }
}

struct OutsideExtension {
  func run(_ counter: inout Counter) async -> Bool { isOnMainActor() }
}

extension OutsideExtension: Action {}

nonisolated func isOnMainActor(_ isolation: (any Actor)? = #isolation) -> Bool { isolation === MainActor.shared }

/// An object on the main actor, as in an app.
final class Model {
  let store = Store(Counter(), name: "counter")
  private(set) var shown = 0

  func refresh() async {
    shown = await store.state.count
  }
}

/// Observes the store for as long as the screen exists.
final class Screen {
  private(set) var counts: [Int] = []

  init(_ store: Store<Counter>) {
    store.select(\.count).observe(self) { screen, count in screen.counts.append(count) }
  }
}

actor Cache {
  private(set) var latest = -1

  init(_ store: Store<Counter>) {
    store.select().observe(self) { cache, counter in cache.latest = counter.count }
  }
}

struct MainActorClientTests {
  @Test func observes() async throws {
    let store = Store(Counter())
    let (screen, cache, mirror) = (Screen(store), Cache(store), store.select().observable(initial: Counter()))
    await store.dispatch(Increment())
    #expect(try await store.select(\.count).first(within: .seconds(60)) { $0 == 1 } == 1)
    while screen.counts != [0, 1] || mirror.value.count != 1 { await Task.yield() }
    while await cache.latest != 1 { await Task.yield() }
    store.stopObserving(screen)
  }

  /// The article lists the actions that stay on the main actor, although the compiler does not warn.
  @Test func someActionsStayOnTheMainActor() async throws {
    let store = Store(Counter())
    #expect(isOnMainActor())
    #expect(try await store.dispatch(InDeclaration()).get() == false)
    #expect(try await store.dispatch(InDeclarationWithoutAwait()).get() == false)
    #expect(try await store.dispatch(InExtension()).get() == false)
    #expect(try await store.dispatch(InExtensionWithoutAwait()).get())
    #expect(try await store.dispatch(OutsideExtension()).get())
  }

  @Test func declaresAndDispatchesActions() async throws {
    let model = Model()
    await model.store.dispatch(Increment())
    #expect(try await model.store.dispatch(Add(amount: 5)) == .committed(6))
    await #expect(throws: TooMuch()) { try await model.store.dispatch(Add(amount: 11)) }
    await model.store.dispatch { $0.count += 1 }
    await model.store.dispatch { counter async in counter.count += 1 }
    let ticket = model.store.send(Increment())
    _ = await ticket.outcome
    #expect(await model.store.dispatch(Increment(), returning: { $0.count }) == .committed(10))
    await model.refresh()
    #expect(model.shown == 10)
    await model.store.dispatch(Reset())
    #expect(await model.store.state.count == 0)
  }
}
