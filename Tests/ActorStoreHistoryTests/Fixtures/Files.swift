import ActorStore
import Foundation

@testable import ActorStoreHistory

func makeHistory() -> (Store<Draft>, History<Draft>) {
  let date = Date(timeIntervalSince1970: 1_795_818_182.125)
  let history = History<Draft>(clock: nil, date: { date })
  return (Store(Draft(), guards: [history]), history)
}

/// A history with undone entries, a step, a closure, and an irreversible action.
func makeTimeline() async -> HistoryTimeline<Draft> {
  let (store, history) = makeHistory()
  await store.dispatch(Insert("a\n\"b\" \u{1F600}"))
  await store.dispatch(Print())
  await history.step {
    await store.dispatch(MoveCursor(position: .min))
    await store.dispatch(label: "clear") { $0.text = "" }
  }
  await store.dispatch(Insert("c"))
  await store.dispatch(history.undo())
  return history.timeline
}

extension String {
  /// The text of a changed file, with recomputed checksums.
  var resummed: Data {
    var (sum, data) = (LineSum(), Data())
    for (index, line) in split(separator: "\n").enumerated() {
      let kind = index == 0 ? LineKind.header : .entry
      let content = line.utf8.dropFirst(LineKind.start.count + LineSum.digits + kind.middle.utf8.count).dropLast()
      sum.add(content)
      data += LineKind.start
      data += Data("\(sum.text)\(kind.middle)".utf8) + Data(content) + Data("}\n".utf8)
    }
    return data
  }
}
