import ActorStore
import ActorStoreTesting
import Testing

/// A test can expect the error of an action or of a group, with or without a type, and with or without `Equatable`.
@Suite struct TestStoreErrorTests {
  private enum Flaw: Error, Equatable {
    case small, large
  }

  /// An error that is not `Equatable`.
  private struct Report: Error {
    var pages = 1
    var causes: [any Error] = [Flaw.small]
  }

  private struct Fail: Action {
    var error: any Error = Flaw.small
    func run(_ cart: inout Cart) async throws { throw error }
  }

  private struct FailTyped: Mutation {
    var report = Report()
    func run(_ cart: inout Cart) throws(Report) { throw report }
  }

  private struct FailGroup: ActionGroup {
    var error: (any Error)? = Flaw.small
    func run(with store: Store<Cart>) async throws {
      await store.dispatch(Add(item: "tea"))
      if let error { throw error }
    }
  }

  private struct FailTypedGroup: ActionGroup {
    var flaw = Flaw.small
    func run(with store: Store<Cart>) async throws(Flaw) { throw flaw }
  }

  // MARK: Passing tests

  @Test func errorsOfActions() async throws {
    let store = TestStore(Cart())
    await store.dispatch(Fail(), throws: Flaw.small)
    await store.dispatch(Fail(error: Report()), throws: Report())
    await store.dispatch(Fail(error: Report()), throws: { ($0 as? Report)?.pages == 1 })
    await store.dispatch(FailTyped(), throws: Report())
    await store.dispatch(FailTyped(), throws: { $0.pages == 1 })
    for _ in 0..<6 { store.send(Fail()) }
    await store.receive(Fail.self, throws: Flaw.small)
    await store.receive(Fail.self, throws: { $0 is Flaw })
    await store.receive(label: "Fail", throws: Flaw.small)
    await store.receive(label: "Fail", throws: { $0 is Flaw })
    store.send(FailTyped(), policy: .overlapping)
    for _ in 0..<2 { await store.receive(Fail.self, throws: Flaw.small) }
    await store.receive(FailTyped.self, throws: { $0.causes.count == 1 })
    try await store.finish()
  }

  @Test func errorsOfGroups() async throws {
    let store = TestStore(Cart())
    await store.dispatch(FailTypedGroup(), throws: .small)
    await store.dispatch(FailTypedGroup(), throws: { $0 == .small })
    await store.dispatch(FailGroup(), throws: Flaw.small)
    await store.receive(Add.self) { $0.items.append("tea") }
    await store.dispatch(FailGroup(error: Report()), throws: { $0 is Report })
    await store.receive(label: "Add") { $0.items.append("tea") }
    store.send(FailTypedGroup())
    await store.receive(FailTypedGroup.self, throws: .small)
    store.send(FailTypedGroup())
    await store.receive(FailTypedGroup.self, throws: { $0 == .small })
    store.send(FailGroup())
    await store.receive(Add.self) { $0.items.append("tea") }
    await store.receive(FailGroup.self, throws: Flaw.small)
    store.send(FailGroup(error: Report(pages: 2)))
    await store.receive(Add.self) { $0.items.append("tea") }
    await store.receive(FailGroup.self, throws: { ($0 as? Report)?.pages == 2 })
    store.send(FailGroup())
    await store.receive(Add.self) { $0.items.append("tea") }
    await store.receive(label: "FailGroup", throws: Flaw.small)
    try await store.finish()
  }

  // MARK: Failing tests

  @Test func differentErrors() async {
    let found = await issues {
      let store = TestStore(Cart())
      await store.dispatch(Fail(), throws: Flaw.large)
      await store.dispatch(FailTyped(), throws: Report(causes: [Flaw.large]))
      await store.dispatch(FailTypedGroup(), throws: .large)
      await store.dispatch(FailTypedGroup(), throws: { $0 == .large })
      try await store.finish()
    }
    #expect(found.map(\.line) == [#line - 6, #line - 5, #line - 4, #line - 3])
    #expect(found.allSatisfy { $0.text.contains("large") || $0.text.contains("does not accept:\n.small") })
  }

  @Test func noError() async {
    let found = await issues {
      let store = TestStore(Cart())
      await store.dispatch(FailGroup(error: nil), throws: Flaw.small)
      await store.receive(Add.self) { $0.items = ["tea"] }
      store.send(Pay(amount: 9))
      await store.receive(Pay.self, throws: { _ in true })
      try await store.finish()
    }
    #expect(
      found.map(\.text) == [
        "FailGroup(error: nil) ended, and did not throw small.",
        "Pay(amount: 9) was committed, and did not throw an error.",
      ])
  }

  // MARK: States that are not equal to themselves

  private struct Weather: Equatable, Sendable {
    var days: [Double] = []
    var rain = Double.nan
  }

  /// A number that is not equal to itself counts as unchanged if its bits are the same.
  @Test func unchangedNaN() async throws {
    let store = Store(Weather())
    let test = TestStore(Weather())
    await test.dispatch(Note(day: .nan)) { $0.days = [.nan] }
    await test.dispatch(Note(day: 1)) { $0.days.append(1) }
    await test.dispatch(Nothing())
    try await test.finish()
    try await expectEqual(store, Weather())
    try await expectNotEqual(store, Weather(days: [1]))
    let found = await issues {
      let test = TestStore(Weather())
      await test.dispatch(Nothing()) { $0.rain = .nan }
      test.send(Nothing())
      try await test.finish()
      try await expectNotEqual(store, Weather(), within: .zero)
    }
    #expect(found.map(\.line) == [#line - 5, #line - 3, #line - 2])
    #expect(found.first?.text.contains("changes nothing") == true)
    #expect(found.dropFirst().first?.text.contains("without changing the state") == true)
  }

  private struct Note: Mutation {
    let day: Double
    func run(_ weather: inout Weather) { weather.days.append(day) }
  }

  private struct Nothing: Mutation {
    func run(_ weather: inout Weather) {}
  }
}
