import ActorStore
import Foundation
import Synchronization
import Testing

@testable import ActorStoreHistory

@Suite struct ExportTests {
  @Test func h8_aFileHasJSONLines() async throws {
    let (store, history) = makeHistory()
    await store.dispatch(Insert("a"))
    let data = try await history.timeline.exported(actions: draftActions)
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[3].isEmpty)
    let objects = try lines.dropLast().map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let header = try #require(objects[0]["history"] as? [String: Int])
    #expect(header == ["version": 1, "count": 2, "position": 1])
    let entry = try #require(objects[2]["entry"] as? [String: Any])
    #expect(entry["revision"] as? Int == 1)
    #expect(entry["label"] as? String == #"Insert(letters: "a")"#)
    #expect(entry["date"] as? Double == 1_795_818_182.125)
    #expect((entry["action"] as? [String: Any])?["name"] as? String == "insert")
    #expect((entry["state"] as? [String: Any])?["text"] as? String == "a")
  }

  @Test func h8_anImportIsEqualToTheExport() async throws {
    let timeline = await makeTimeline()
    let data = try await timeline.exported(actions: draftActions)
    let imported = try await HistoryTimeline<Draft>.imported(from: data, actions: draftActions)
    #expect(imported.entries.map(\.label) == timeline.entries.map(\.label))
    #expect(imported.entries.map(\.state) == timeline.entries.map(\.state))
    #expect(imported.entries.map(\.step) == timeline.entries.map(\.step))
    #expect(imported.entries.map(\.date) == timeline.entries.map(\.date))
    #expect(imported.entries.map(\.isIrreversible) == timeline.entries.map(\.isIrreversible))
    #expect(imported.position == timeline.position)
    #expect(imported.entries[1].action as? Insert == timeline.entries[1].action as? Insert)
    #expect(imported.entries.map { $0.action == nil } == [true, false, true, false, true, false])
    // Exporting the import again produces the same file.
    #expect(try await imported.exported(actions: draftActions) == data)
    let labels = try await HistoryTimeline<Draft>.imported(from: data)
    #expect(labels.entries.allSatisfy { $0.action == nil })
    #expect(labels.entries.map(\.label) == timeline.entries.map(\.label))
  }

  @Test func h8_durationsAndInfinitiesAreKept() async throws {
    struct Measure: Codable, Equatable { var values = [Double.infinity, -.infinity, 0.1, .greatestFiniteMagnitude] }
    let history = History<Measure>()
    let store = Store(Measure(), guards: [history])
    await store.dispatch(label: "more") { $0.values.append(1) }
    let timeline = history.timeline
    let imported = try await HistoryTimeline<Measure>.imported(from: timeline.exported())
    #expect(imported.entries.map(\.state) == timeline.entries.map(\.state))
    let (old, new) = (try #require(timeline.entries[1].duration), try #require(imported.entries[1].duration))
    #expect(abs((old - new) / .nanoseconds(1)) < 1)
    #expect(try await HistoryTimeline<Measure>.imported(from: imported.exported()).entries[1].duration == new)
  }

  @Test func h8_anEmptyHistoryIsExported() async throws {
    let (store, history) = makeHistory()
    let empty = try await HistoryTimeline<Draft>.imported(from: history.timeline.exported())
    #expect(empty.entries.isEmpty)
    await #expect(throws: HistoryError.empty) { try await store.dispatch(history.restore(empty)) }
    #expect(history.timeline.entries.isEmpty)
  }

  @Test func h8_anUnencodableStateIsReported() async throws {
    struct Strict: Codable {
      var isBad = false
      func encode(to encoder: any Encoder) throws {
        if isBad {
          throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "It is bad."))
        }
        try "good".encode(to: encoder)
      }
      init() {}
      init(from decoder: any Decoder) throws {}
    }
    let history = History<Strict>()
    let store = Store(Strict(), guards: [history])
    await store.dispatch(label: "bad") { $0.isBad = true }
    await #expect(throws: HistoryFileError(line: 3, reason: .invalid("state: It is bad"))) {
      _ = try await history.timeline.exported()
    }
  }

  @Test func h8_progressIsReportedAndCancellable() async throws {
    let (store, history) = makeHistory()
    for _ in 0..<298 { await store.dispatch(Insert("a")) }
    let fractions = Mutex<[Double]>([])
    let progress = { @Sendable (fraction: Double) in fractions.withLock { $0.append(fraction) } }
    let data = try await history.timeline.exported(progress: progress)
    #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 && (50...101).contains($0.count) })
    fractions.withLock { $0 = [] }
    _ = try await History<Draft>().timeline.exported(progress: progress)
    #expect(fractions.withLock { $0 } == [1])
    fractions.withLock { $0 = [] }
    _ = try await HistoryTimeline<Draft>.imported(from: data, progress: progress)
    #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 && (50...101).contains($0.count) })
    // The task cancels itself halfway.
    let half = { @Sendable (fraction: Double) in if fraction > 0.5 { withUnsafeCurrentTask { $0?.cancel() } } }
    let timeline = history.timeline
    let export = Task { try await timeline.exported(progress: half) }
    await #expect(throws: CancellationError.self) { try await export.value }
    let imported = Task {
      try await HistoryTimeline<Draft>.imported(from: data, onDamage: { _ in }, progress: half).position
    }
    await #expect(throws: CancellationError.self) { try await imported.value }
  }
}
