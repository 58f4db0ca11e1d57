#if canImport(SwiftUI)
  import ActorStore
  import ActorStoreHistory
  import SwiftUI

  struct TimeMachineView: View {
    let store: Store<Sketch>
    let history: History<Sketch>
    let status: ObservableValue<HistoryStatus>
    @State private var timeline: HistoryTimeline<Sketch>?

    var body: some View {
      List(timeline?.entries ?? []) { entry in
        Button(entry.revision == timeline?.current?.revision ? "\u{25B6} \(entry.label)" : entry.label) {
          store.send(history.jump(to: entry.revision))
        }
      }
      .toolbar {
        Button("Undo") { store.send(history.undo()) }.disabled(!status.value.canUndo)
        Button("Redo") { store.send(history.redo()) }.disabled(!status.value.canRedo)
      }
      .task { for await timeline in history.timelines { self.timeline = timeline } }
    }
  }
#endif
