import ActorStore
import ActorStoreHistory
import Foundation
import Testing

@Suite struct SketchTests {
  private struct Oval: Mutation, Codable {
    let stroke: String
    func run(_ sketch: inout Sketch) { sketch.strokes.append("oval") }
  }

  @Test func undo() async {
    let history = History<Sketch>()
    let store = Store(Sketch(), guards: [history])
    await store.dispatch(Draw(stroke: "line"))
    switch await store.dispatch(history.undo()) {
    case .vetoed(let veto): print(veto.reason)  // There is nothing to undo.
    default: break
    }
    #expect(await store.state.strokes.isEmpty)
  }

  @Test func steps() async {
    let history = History<Sketch>.joiningDots()
    let store = Store(Sketch(), guards: [history])
    await history.step {
      await store.dispatch(Draw(stroke: "line"))
      await store.dispatch(Draw(stroke: "arrow"))
    }
    for _ in 0..<3 { await store.dispatch(Draw(stroke: "dot")) }
    await store.dispatch(history.undo())
    #expect(await store.state.strokes == ["line", "arrow"])
    await store.dispatch(history.undo())
    #expect(await store.state.strokes.isEmpty)
  }

  @Test func aBarrierAndAPart() async {
    let history = History<Sketch>(scope: .part(\.strokes))
    let store = Store(Sketch(), guards: [history])
    await store.dispatch(Draw(stroke: "line"))
    await store.dispatch { $0.zoom = 2 }
    await store.dispatch(history.undo())
    #expect(await store.state == Sketch(zoom: 2))
    await store.dispatch(history.redo())
    await store.dispatch(Print())
    #expect(!history.canUndo)
  }

  @Test func screens() async {
    let history = History<Sketch>()
    let store = Store(Sketch(), guards: [history])
    await store.dispatch(Draw(stroke: "line"))
    await store.dispatch(history.undo())
    for await timeline in history.timelines {
      #expect(history.screen(timeline) == "> 0 initial state\n  1 Draw(stroke: \"line\")")
      break
    }
  }

  @Test func files() async throws {
    let history = History<Sketch>()
    let store = Store(Sketch(), guards: [history])
    await store.dispatch(Draw(stroke: "line"))
    let url = FileManager.default.temporaryDirectory.appending(component: "sketch-\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    try await save(history, to: url)
    let loaded = History<Sketch>()
    let other = Store(Sketch(), guards: [loaded])
    try await load(url, into: other, loaded)
    #expect(await other.state == store.state)
    #expect(loaded.canUndo)
    #expect(try await reproduce(Data(contentsOf: url)) == "Replayed 1 action(s) without a difference.")
    let replay = try await history.timeline.replayed(with: ["oval": Oval.self])
    #expect(replay.adopted == [1])
  }
}
