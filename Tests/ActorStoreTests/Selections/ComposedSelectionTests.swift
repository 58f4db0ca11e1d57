import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Selections are shared by identity, computed from inputs only if one changes, and leave nothing behind.
@Suite struct ComposedSelectionTests {
  /// Counts the calls of each closure and of each computed property.
  private struct Order: Sendable {
    let calls = Witness<String>()
    var lines = [1]
    var prices = [1: 10]
    var note = ""

    var count: Int {
      calls.saw("count")
      return lines.count
    }
  }

  private let calls: Witness<String>
  private let store: Store<Order>

  init() {
    let order = Order()
    calls = order.calls
    store = Store(order)
  }

  private func all<Value: Sendable>(_ values: AsyncStream<Value>) async -> [Value] {
    await values.reduce(into: []) { $0.append($1) }
  }

  /// Expects calls during a body, in any order.
  private func expectCalls(
    _ expected: [String], _ body: () async -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let before = calls.all.count
    await body()
    #expect(calls.all[before...].sorted() == expected, sourceLocation: sourceLocation)
  }

  @MainActor @Test func p15_allConsumersOfOneSelectionShareIt() async {
    let total = Selection<Order, Int> { [calls] order in
      calls.saw("total")
      return order.lines.reduce(0, +)
    }
    let owner = Witness<Int>()
    let (one, other) = (store.select(total), store.select(total))
    let streams = [one.values, other.values, one.values(bufferingPolicy: .bufferingNewest(1))]
    let mirrors = await [one.observable, other.observable(initial: -1)]
    one.observe(owner) { $0.saw($1) }
    other.observe(owner, id: "other") { $0.saw($1) }
    // Consumers with a comparison share one more computation.
    let comparison = SelectionComparison<Int>.by { $0 == $1 }
    let compared = (0..<2).map { _ in store.select(total, comparison).values }
    let always = (0..<2).map { _ in store.select(total, .always).values }
    #expect(store.hub.selections.all.count == 2)
    await expectCalls(["total", "total"]) { await store.dispatch { $0.lines = [2] } }
    withExtendedLifetime((streams, mirrors, compared, always)) {}
  }

  @Test func inputsDecideWhetherAClosureRuns() async {
    let total = Selection(\Order.count, \.prices, \.note) { [calls] count, prices, note in
      calls.saw("total")
      return "\(count) \(prices.count) \(note)"
    }
    let size = Selection(\Order.count) { [calls] count in
      calls.saw("size")
      return count
    }
    let values = (0..<3).map { _ in store.select(total).values }
    let sizes = store.select(size).values
    // All selections compare a common input once.
    await expectCalls(["count"]) { await store.dispatch { _ in } }
    await expectCalls(["count", "total"]) { await store.dispatch { $0.note = "a" } }
    await expectCalls(["count", "size", "total"]) { await store.dispatch { $0.lines = [1, 2] } }
    // The closure runs, but the result is a repeat.
    await expectCalls(["count", "total"]) { await store.dispatch { $0.prices = [2: 2] } }
    store.close()
    for values in values { #expect(await all(values) == ["1 1 ", "1 1 a", "2 1 a"]) }
    #expect(await all(sizes) == [1, 2])
    #expect(store.hub.isEmpty)
  }

  /// Each level uses the one before twice.
  @Test func currentComputesEachInputOnce() async {
    var sum = Selection { [calls] (order: Order) in
      calls.saw("sum")
      return order.lines.reduce(0, +)
    }
    for _ in 0..<10 { sum = Selection.combine(sum, sum.map { $0 }).map { $0 + $1 } }
    await expectCalls(["sum"]) { #expect(await store.select(sum).current == 1 << 10) }
  }

  @Test func mapAndCombineRunOnlyIfAnInputChanges() async {
    let sum = Selection { [calls] (order: Order) in
      calls.saw("sum")
      return order.lines.reduce(0, +)
    }
    let text = sum.map { [calls] sum in
      calls.saw("text")
      return "\(sum)"
    }
    let both = Selection.combine(text, Selection(\.note))
    let joined = both.map { [calls] text, note in
      calls.saw("joined")
      return text + note
    }
    let (texts, joins) = (store.select(text).values, store.select(joined).values)
    let pairs = store.select(both, .by(==)).values
    await expectCalls(["sum"]) { await store.dispatch { _ in } }
    await expectCalls(["joined", "sum"]) { await store.dispatch { $0.note = "!" } }
    await expectCalls(["joined", "sum", "text"]) { await store.dispatch { $0.lines = [5] } }
    store.close()
    #expect(await all(texts) == ["1", "5"])
    #expect(await all(joins) == ["1", "1!", "5!"])
    #expect(await all(pairs).map { "\($0)" } == [#"("1", "")"#, #"("1", "!")"#, #"("5", "!")"#])
    #expect(store.hub.isEmpty)
  }

  /// Identifies a selection in tests.
  private struct LinesID: Hashable {
    let number: Int
  }

  @Test func p15_selectionsWithEqualIDsAreTheSame() async {
    func lines(_ number: Int) -> Selection<Order, Int> {
      Selection(id: LinesID(number: number)) { [calls] order in
        calls.saw("lines")
        return order.lines.count + number
      }
    }
    let streams = (0..<2).map { _ in store.select(lines(0)).values }
    await expectCalls(["lines"]) { await store.dispatch { $0.lines = [1, 2] } }
    let other = store.select(lines(1)).values
    // The values have another type, and the ID has another type.
    let texts = store.select(Selection<Order, String>(id: LinesID(number: 0)) { "\($0.lines.count)" }).values
    let counts = store.select(Selection<Order, Int>(id: 0) { -$0.lines.count }).values
    await expectCalls(["lines", "lines"]) { await store.dispatch { $0.lines = [1, 2, 3] } }
    store.close()
    for stream in streams { #expect(await all(stream) == [1, 2, 3]) }
    #expect(await all(other) == [3, 4])
    #expect(await all(texts) == ["2", "3"])
    #expect(await all(counts) == [-2, -3])
    #expect(store.hub.isEmpty)
  }

  private struct Outer: Sendable {
    struct Inner: Sendable {
      var name = "a"
      var size = 0
    }

    var inner = Inner()
  }

  @Test func appendingGivesTheLongerKeyPath() async {
    let store = Store(Outer())
    let name = Selection(\Outer.inner).appending(\.name)
    let values = [store.select(name).values, store.select(\.inner.name).values]
    #expect(store.hub.selections.all.count == 1)
    await store.dispatch { $0.inner.size = 1 }
    await store.dispatch { $0.inner.name = "b" }
    #expect(await store.select(name).current == "b")
    store.close()
    for values in values { #expect(await all(values) == ["a", "b"]) }
  }

  /// Parts of a closure's value share the closure, and equal parts are the same selection.
  @Test func appendingToAClosureSharesTheClosure() async {
    let runs = Witness<Void>()
    let store = Store(Outer())
    let inner = Selection { (outer: Outer) in
      runs.saw(())
      return outer.inner
    }
    let names = (0..<2).map { _ in store.select(inner.appending(\.name)).values }
    let sizes = store.select(inner.appending(\.size)).values
    // The closure, and two parts of its value.
    #expect(store.hub.selections.all.count == 3)
    let before = runs.all.count
    await store.dispatch { $0.inner.size = 1 }
    #expect(runs.all.count == before + 1)
    store.close()
    for names in names { #expect(await all(names) == ["a"]) }
    #expect(await all(sizes) == [0, 1])
  }

  /// A comparison must not hide the current value from a new consumer.
  @MainActor @Test func p11_aConsumerWithAComparisonStartsWithTheCurrentValue() async throws {
    let lines = store.select(Selection(\.lines), .by { $0.count == $1.count })
    let early = lines.values
    await store.dispatch { $0.lines = [2] }
    let late = lines.values
    #expect(await lines.observable.value == [2])
    #expect(try await lines.first(within: .zero) { $0 == [2] } == [2])
    await store.dispatch { $0.lines = [3] }
    await store.dispatch { $0.lines = [4, 5] }
    store.close()
    #expect(await all(early) == [[1], [4, 5]])
    #expect(await all(late) == [[2], [4, 5]])
  }

  @Test func aMemberOfAFamilyIsTheSameForTheSameParameter() async {
    let price = Selection.family { [calls] (item: Int) in
      Selection<Order, Int?> { order in
        calls.saw("price")
        return order.prices[item]
      }
    }
    let other = Selection.family { (item: Int) in Selection<Order, Int?> { $0.prices[item] } }
    let values = [store.select(price(1)).values, store.select(price(1)).values]
    let others = [store.select(price(2)).values, store.select(other(1)).values]
    #expect(store.hub.selections.all.count == 3)
    await expectCalls(["price", "price"]) { await store.dispatch { $0.prices = [1: 11] } }
    store.close()
    for values in values { #expect(await all(values) == [10, 11]) }
    #expect(await all(others[0]) == [nil])
    #expect(await all(others[1]) == [10, 11])
  }

  @Test func aFamilyOfKeyPathsGivesKeyPaths() {
    let price = Selection.family { (item: Int) in Selection(\Order.prices[item]) }
    let values = [store.select(price(1)).values, store.select(\.prices[1]).values]
    #expect(store.hub.selections.all.count == 1)
    withExtendedLifetime(values) {}
  }

  @Test func pastParametersLeaveNothingBehind() async {
    let row = Selection.family { (item: Int) in
      Selection<Order, [Int: Int]>(\.prices).map { $0[item] }
    }
    for item in 0..<TestSize.count(10_000, few: 2_000) {
      let values = store.select(row(item)).values
      #expect(store.hub.selections.all.count == 2)
      withExtendedLifetime(values) {}
    }
    #expect(store.hub.isEmpty)
    let counts = store.hub.selections.counts
    #expect(counts.selections == 0 && counts.followers == 0)
  }

  @Test func twoStoresUseOneSelection() async {
    let other = Store(Order(lines: [7]))
    let doubled = Selection(\Order.lines) { $0.map { $0 * 2 } }
    let values = [store.select(doubled).values, other.select(doubled).values]
    await other.dispatch { $0.lines = [8] }
    store.close()
    other.close()
    #expect(await all(values[0]) == [[2]])
    #expect(await all(values[1]) == [[14], [16]])
  }

  @Test func alwaysDeliversEachCommit() async {
    let handler = Selection { (order: Order) in { order.lines.count } as @Sendable () -> Int }
    let values = store.select(handler, .always).values
    let whole = store.select(Selection(\.self), .always).values
    let counts = store.select(Selection(\.count), .always).values
    for _ in 0..<2 { await store.dispatch { _ in } }
    store.close()
    #expect(await all(values).map { $0() } == [1, 1, 1])
    #expect(await all(whole).map(\.lines) == [[1], [1], [1]])
    #expect(await all(counts) == [1, 1, 1])
  }

  @MainActor @Test func aClosedStoreHasItsLastValues() async throws {
    await store.dispatch { $0.lines = [3] }
    store.close()
    let lines = store.select(Selection(\.lines) { $0.count * 10 })
    #expect(await all(lines.values) == [10])
    #expect(await lines.current == 10)
    #expect(await lines.observable.value == 10)
    #expect(lines.observable(initial: 0).value == 10)
    #expect(try await lines.first { $0 == 10 } == 10)
    await #expect(throws: StateWaitError.closed) { try await lines.first { $0 == 0 } }
    let owner = Witness<Int>()
    lines.observe(owner) { $0.saw($1) }
    await store.waitUntilObservationsEnd()
    #expect(owner.all == [10])
    #expect(store.hub.isEmpty)
  }

  @Test func firstSeesTheValuesOfASelection() async throws {
    let asked = Witness<Int>()
    let count = Selection(\Order.lines) { $0.count }
    async let three = store.select(count).first(within: .seconds(60)) { value in
      asked.saw(value)
      return value == 3
    }
    while asked.all.isEmpty { await Task.yield() }
    for note in ["a", "b"] { await store.dispatch { $0.note = note } }
    await store.dispatch { $0.lines = [1, 2] }
    await store.dispatch { $0.lines = [1, 2, 3] }
    #expect(try await three == 3)
    // A repeat is not checked.
    #expect(asked.all == [1, 2, 3])
    await #expect(throws: StateWaitError.timedOut) { try await store.select(count).first(within: .zero) { $0 == 9 } }
  }

  @Test func p8_firstInsideAnActionWouldDeadlock() async {
    let error = await store.dispatch { [store] _ async -> StateWaitError? in
      do throws(StateWaitError) {
        _ = try await store.select(\.lines).first { $0.isEmpty }
        return nil
      } catch {
        return error
      }
    }
    #expect(error == .committed(.wouldDeadlock))
  }

  @Test func p14_onlyTheHandleHoldsTheStore() async {
    var store: Store<Order>? = Store(Order())
    let released = Weak(store)
    let total = Selection(\Order.lines, \.prices) { $0.count + $1.count }
    var handle = store?.select(total)
    let (values, mirror) = (handle?.values, await handle?.observable)
    store = nil
    #expect(released.object != nil)
    await handle?.store.dispatch { $0.lines = [1, 2] }
    handle = nil
    #expect(released.object == nil)
    if let values { #expect(await all(values) == [2, 3]) }
    withExtendedLifetime(mirror) {}
  }

  /// A selection of a selection, and so on, is found and evaluated once for each node, although there are many paths.
  @Test func sharedInputsAreSearchedOnce() async {
    var doubled = Selection(\Order.count)
    for _ in 0..<40 { doubled = Selection.combine(doubled, doubled).map { max($0, $1) } }
    let values = store.select(doubled).values
    #expect(store.hub.selections.all.count == 81)
    #expect(await store.select(doubled).current == 1)
    await store.dispatch { $0.lines = [1, 2] }
    store.close()
    #expect(await all(values) == [1, 2])
    #expect(store.hub.isEmpty)
  }

  @Test func aSelectionOfAMissingElementTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = Store([1: "a"])
      _ = store.select(Selection { $0[2]! }).values
    }
    let store = Store([1: "a"])
    #expect(await store.select(\.[2]).current == nil)
  }

  @Test func aLongChainOfSelectionsTraps() async throws {
    var chain = Selection(\Order.count)
    for _ in 0..<(SelectionInputs.maxDepth - 1) { chain = chain.map { $0 + 1 } }
    #expect(await store.select(chain).current == SelectionInputs.maxDepth)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var chain = Selection(\Order.count)
      for _ in 0..<SelectionInputs.maxDepth { chain = chain.map { $0 + 1 } }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("is computed from another one"))
  }

  /// Under any schedule, a stream of a composed selection has no gap, no repeat, and no mixture of two commits.
  @Test func p11_composedSelectionsUnderAnySchedule() {
    explore {
      let store = Store([0, 0])
      let sum = Selection(\[Int].first, \.last) { ($0 ?? 0) + ($1 ?? 0) }
      async let problems = withTaskGroup(of: String?.self) { group in
        for _ in 0..<2 {
          group.addTask { () -> String? in
            let expected = await store.select(sum).current
            var values: [Int] = []
            for await value in store.select(sum.map { $0 }).values { values.append(value) }
            guard let first = values.first else { return "no values" }
            if first < expected { return "\(first) is older than \(expected)" }
            return values == Array(stride(from: first, through: 4, by: 2)) ? nil : "\(values)"
          }
        }
        return await group.compactMap { $0 }.reduce(into: [String]()) { $0.append($1) }
      }
      for number in 1...2 {
        await store.dispatch { $0 = [number, number] }
        await store.dispatch { $0.append($0.removeLast()) }
      }
      store.close()
      return await problems.first
    }
  }
}
