import ActorStore
import ActorStoreEvents
import Testing

@Suite struct ComponentTests {
  /// A component on the main actor, like a view controller.
  @MainActor private final class Label: @MainActor Component {
    var props = "none"
    var connection: Connection?
    let renders = AsyncStream<String>.makeStream()

    func render() { renders.continuation.yield(props) }
    func render(missing last: String) { renders.continuation.yield("missing after \(last)") }
  }

  @MainActor @Test func e13_aComponentGetsPropsInOrderOnItsActor() async {
    let (store, label) = (Store(Rows()), Label())
    var renders = label.renders.stream.makeAsyncIterator()
    store.select(\.title).connect(label)
    #expect(label.props == "none")
    #expect(await renders.next(isolation: #isolation) == "")
    await store.dispatch { $0.title = "a" }
    #expect(await renders.next(isolation: #isolation) == "a")
    #expect(label.props == "a")
  }

  @MainActor @Test func e13_missingPropsAreRendered() async {
    let (store, label) = (Store(Rows()), Label())
    var renders = label.renders.stream.makeAsyncIterator()
    let text = StatePath(\Rows.rows)[key: 7].text
    store.select(text).connect(label)
    #expect(await renders.next(isolation: #isolation) == "missing after none")
    await store.dispatch { _ = $0.rows.append(Rows.Row(id: 7, text: "a")) }
    #expect(await renders.next(isolation: #isolation) == "a")
    await store.dispatch { $0.rows = [] }
    #expect(await renders.next(isolation: #isolation) == "missing after a")
  }

  /// The default implementation of `render(missing:)` keeps the last props.
  @MainActor @Test func e13_missingPropsAreKept() async {
    @MainActor final class Title: @MainActor Component {
      var props = "none"
      var connection: Connection?
      let renders = AsyncStream<String>.makeStream()
      func render() { renders.continuation.yield(props) }
    }
    let (store, title) = (Store(Rows.filled(1)), Title())
    var renders = title.renders.stream.makeAsyncIterator()
    store.select(StatePath(\Rows.rows)[key: 0].text).connect(title)
    #expect(await renders.next(isolation: #isolation) == "")
    await store.dispatch { $0.rows = [] }
    await store.dispatch { _ = $0.rows.append(Rows.Row(id: 0, text: "b")) }
    #expect(await renders.next(isolation: #isolation) == "b")
  }

  /// `render()` is called outside any turn, so it can dispatch without a deadlock.
  @MainActor @Test func e13_aRenderingDispatches() async {
    @MainActor final class Counter: @MainActor Component {
      var props = 0
      var connection: Connection?
      let store: Store<Int>
      let isDone = AsyncStream<Void>.makeStream()

      init(_ store: Store<Int>) { self.store = store }

      func render() {
        if props == 5 { isDone.continuation.finish() } else { store.send { $0 += 1 } }
      }
    }
    let store = Store(0)
    let counter = Counter(store)
    store.select(\.self).connect(counter)
    for await _ in counter.isDone.stream {}
    #expect(await store.state == 5)
  }

  @MainActor @Test(arguments: [DeliveryStrategy.immediate, .debounced(for: .seconds(3_600))])
  func e13_nothingIsRetained(_ strategy: DeliveryStrategy) async throws {
    weak var weakLabel: Label?
    weak var weakStore: Store<Rows>?
    do {
      let (store, label) = (Store(Rows()), Label())
      (weakLabel, weakStore) = (label, store)
      var renders = label.renders.stream.makeAsyncIterator()
      store.select(\.title).connect(label, strategy: strategy)
      #expect(await renders.next(isolation: #isolation) == "")
    }
    #expect(weakLabel == nil)
    // A task may be about to release it.
    while weakStore != nil { await Task.yield() }
  }

  /// A component that is connected to a live store, but has been deallocated, leaves nothing behind.
  @MainActor @Test func e13_aDeallocatedComponentIsDisconnected() async throws {
    let store = Store(Rows())
    for _ in 0..<100 { store.select(\.title).connect(Label()) }
    try await store.closeAndDrain()
    #expect(store.diagnostics.subscribers.isEmpty)
  }

  @Test func e13_anActorRendersOnItself() async throws {
    let (store, terminal) = (Store(Rows.filled(1)), Terminal())
    await store.select(StatePath(\Rows.rows)[key: 0].text).connect(terminal)
    while await terminal.lines.isEmpty { await Task.yield() }
    await store.dispatch { $0.rows = [] }
    while await terminal.missing == 0 { await Task.yield() }
    #expect(await terminal.lines == [""])
  }

  /// A component that ends its connection while its props are set is not rendered.
  @MainActor @Test func e13_settingThePropsEndsTheConnection() async throws {
    @MainActor final class Once: @MainActor Component {
      var props = 0 {
        didSet { if props > 0 { connection = nil } }
      }
      var connection: Connection?
      var renders = 0
      func render() { renders += 1 }
    }
    let (store, once, other) = (Store(1), Once(), Label())
    var renders = other.renders.stream.makeAsyncIterator()
    store.select(\.self).connect(once)
    store.select(Selection { "\($0)" }).connect(other)
    _ = await renders.next(isolation: #isolation)
    while once.props == 0 { await Task.yield() }
    #expect(once.renders == 0)
  }
}
