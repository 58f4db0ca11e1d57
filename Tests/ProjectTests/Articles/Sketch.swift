import ActorStore
import ActorStoreHistory
import Foundation

// The code of the article "Traveling through Time".

struct Sketch: Codable, Equatable, Sendable {
  var strokes: [String] = []
  var isPrinted = false
  var zoom = 1
}

struct Draw: Mutation, Codable {
  let stroke: String
  func run(_ sketch: inout Sketch) { sketch.strokes.append(stroke) }
}

struct Print: Mutation, IrreversibleAction {
  func run(_ sketch: inout Sketch) { sketch.isPrinted = true }
}

extension History<Sketch> {
  /// A history that undoes a series of dots as one step.
  static func joiningDots() -> History<Sketch> {
    History(coalescing: { last, new in
      (last.action as? Draw)?.stroke == "dot" && (new.action as? Draw)?.stroke == "dot"
    })
  }

  /// The screen in a terminal.
  func screen(_ timeline: HistoryTimeline<Sketch>) -> String {
    timeline.entries.map { entry in
      let mark = entry.revision == timeline.current?.revision ? ">" : " "
      return "\(mark) \(entry.revision) \(entry.label)"
    }.joined(separator: "\n")
  }
}

/// The names of the actions in files.
let sketchActions: ActionRegistry<Sketch> = ["draw": Draw.self]

func save(_ history: History<Sketch>, to url: URL) async throws {
  try await history.timeline.exported(actions: sketchActions).write(to: url, options: .atomic)
}

func load(_ url: URL, into store: Store<Sketch>, _ history: History<Sketch>) async throws {
  let timeline = try await HistoryTimeline<Sketch>.imported(
    from: Data(contentsOf: url), actions: sketchActions,
    onDamage: { error in print("Only the entries before the damage are loaded. \(error)") })
  try await store.dispatch(history.restore(timeline)).get()
}

/// Replays a user's recording, and reports where this version of the app behaves differently.
func reproduce(_ file: Data) async throws -> String {
  let timeline = try await HistoryTimeline<Sketch>.imported(from: file, actions: sketchActions)
  let replay = try await timeline.replayed(with: sketchActions)
  return replay.difference?.description ?? "Replayed \(replay.replayedCount) action(s) without a difference."
}
