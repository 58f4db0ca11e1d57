import ActorStore
import ActorStoreHistory
import Testing

// The code of the overview of `ActorStoreHistory`.

private struct Draft: Sendable, Equatable {
  var text = ""
}

@Suite struct HistoryOverviewTests {
  @Test func overview() async {
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    await store.dispatch { $0.text = "Hello" }
    await store.dispatch(history.undo())
    await store.dispatch(history.redo())
    #expect(await store.state.text == "Hello")
  }
}
