import ActorStore
import Dispatch
import Synchronization
import Testing

@testable import ActorStoreEvents

@Suite struct FacadeTests {
  private enum AppStore: StoreFacade {
    static func makeDefault() -> Store<TodoApp> { Store(TodoApp(), name: "default") }
  }

  @Test func e9_aTestReplacesTheStoreForItsTaskTree() async {
    await withTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          let store = Store(TodoApp())
          await AppStore.withStore(store) {
            await AppStore.dispatch(.added("\(number)"))
            AppStore.send([.added("a"), .todo(0, .toggled)])
            await Task { _ = await AppStore.dispatch(.added("b")) }.value
            async let child: Void = { _ = await AppStore.dispatch(Emit(.added("c"))) }()
            await child
          }
          #expect(await store.state.todos.map(\.name) == ["\(number)", "a", "b", "c"])
        }
      }
    }
  }

  @Test func e9_theReplacementEndsWithItsClosure() async {
    let store = Store(TodoApp(), name: "replacement")
    #expect(AppStore.withStore(store) { AppStore.current.name } == "replacement")
    #expect(AppStore.current.name == "default")
    #expect(AppStore.current === AppStore.current)
  }

  private enum Inner: StoreFacade {
    static func makeDefault() -> Store<TodoApp> { Store(TodoApp(), name: "inner") }
  }

  private enum Outer: StoreFacade {
    static func makeDefault() -> Store<TodoApp> {
      let inner = Inner.current
      return Store(TodoApp(), name: "outer with \(inner.name)")
    }
  }

  /// Otherwise, the test that is the first to use a facade would change it for all others.
  @Test func e9_aDefaultDoesNotSeeReplacements() {
    let store = Store(TodoApp(), name: "replacement")
    #expect(Inner.withStore(store) { Outer.current.name } == "outer with inner")
  }

  private enum CountedStore: StoreFacade {
    static let count = Mutex(0)

    static func makeDefault() -> Store<TodoApp> {
      count.withLock { $0 += 1 }
      return Store(TodoApp())
    }
  }

  @Test func e8_concurrentFirstUsersShareOneStore() {
    let stores = Mutex<[Store<TodoApp>]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let store = CountedStore.current
      stores.withLock { $0.append(store) }
    }
    #expect(CountedStore.count.withLock { $0 } == 1)
    #expect(Set(stores.withLock { $0.map(ObjectIdentifier.init) }).count == 1)
  }
}
