import ActorStore
import Foundation
import Synchronization
import Testing

@testable import ActorStoreHistory

@Suite struct ExportTests {
  private static let date = Date(timeIntervalSince1970: 1_795_818_182.125)

  private static func makeHistory(_ scope: UndoScope<Draft> = .whole) -> (Store<Draft>, History<Draft>) {
    let history = History<Draft>(scope: scope, clock: nil, date: { date })
    return (Store(Draft(), guards: [history]), history)
  }

  /// A history with undone entries, a step, a closure, and an irreversible action.
  private static func makeTimeline() async -> HistoryTimeline<Draft> {
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

  @Test func h8_aFileHasJSONLines() async throws {
    let (store, history) = Self.makeHistory()
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
    let timeline = await Self.makeTimeline()
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
    // Exported again, it is the same file.
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
  }

  @Test func h8_anEmptyHistoryIsExported() async throws {
    let (store, history) = Self.makeHistory()
    let empty = try await HistoryTimeline<Draft>.imported(from: history.timeline.exported())
    #expect(empty.entries.isEmpty)
    await #expect(throws: HistoryError.empty) { try await store.dispatch(history.restore(empty)) }
    #expect(history.timeline.entries.isEmpty)
  }

  // MARK: Bad files

  private func reason(_ data: Data, actions: ActionRegistry<Draft>? = draftActions) async throws -> HistoryFileError? {
    do {
      _ = try await HistoryTimeline<Draft>.imported(from: data, actions: actions)
      return nil
    } catch {
      return try #require(error as? HistoryFileError)
    }
  }

  @Test func h8_badFilesAreRefusedWithLineAndReason() async throws {
    let data = try await Self.makeTimeline().exported(actions: draftActions)
    let lines = data.split(separator: UInt8(ascii: "\n")).map { Data($0) + Data("\n".utf8) }
    let joined = { (lines: [Data]) in Data(lines.joined()) }
    #expect(lines.count == 7)
    for foreign in ["", "\n", "{}", "name,age\n", "\u{FEFF}" + String(decoding: data, as: UTF8.self)] {
      let error = try await reason(Data(foreign.utf8))
      #expect(error == HistoryFileError(line: 1, reason: .foreign), "\(foreign.prefix(9))")
    }
    #expect(try await reason(joined(Array(lines.prefix(5)))) == .init(line: 6, reason: .truncated))
    #expect(try await reason(data.dropLast(9)) == .init(line: 7, reason: .truncated))
    #expect(try await reason(data + data) == .init(line: 8, reason: .damaged))
    #expect(try await reason(data + Data("\n".utf8)) == .init(line: 8, reason: .damaged))
    #expect(try await reason(joined(lines.prefix(3) + Array(lines[4...]))) == .init(line: 4, reason: .damaged))
    let swapped = lines.prefix(3) + [lines[4], lines[3]] + Array(lines[5...])
    #expect(try await reason(joined(swapped)) == .init(line: 4, reason: .damaged))
    var changed = lines
    changed[3] = Data(String(decoding: lines[3], as: UTF8.self).replacing("!", with: "?").utf8)
    #expect(try await reason(joined(changed)) == .init(line: 4, reason: .damaged))
    let newer = Data(String(decoding: data, as: UTF8.self).replacing(#""version":1"#, with: #""version":2"#).utf8)
    #expect(try await reason(newer) == .init(line: 1, reason: .version(2)))
    #expect(try await reason(data, actions: ["move": MoveCursor.self])?.reason == .unknownAction("insert"))
    // Without the last line break, nothing is lost.
    #expect(try await reason(data.dropLast()) == nil)
  }

  /// The same line, read as another type of state or action.
  @Test func h8_missingFieldsAreRefused() async throws {
    struct Page: Codable, Sendable { var text = "", cursor = 0, title: String }
    struct Paste: Mutation, Codable {
      let clipboard: String
      func run(_ state: inout Draft) {}
    }
    let data = try await Self.makeTimeline().exported(actions: draftActions)
    await #expect(throws: HistoryFileError(line: 2, reason: .invalid("state.title is missing"))) {
      _ = try await HistoryTimeline<Page>.imported(from: data)
    }
    let error = try #require(try await reason(data, actions: ["insert": Paste.self, "move": MoveCursor.self]))
    #expect(error == .init(line: 3, reason: .invalid("action.value.clipboard is missing")))
    #expect("\(error)" == "Line 3 is invalid: action.value.clipboard is missing.")
  }

  @Test func h8_theGoodPartIsKeptOnRequest() async throws {
    let timeline = await Self.makeTimeline()
    var data = try await timeline.exported()
    data.removeLast(9)
    let errors = Mutex<[HistoryFileError]>([])
    let part = try await HistoryTimeline<Draft>.imported(
      from: data, onDamage: { error in errors.withLock { $0.append(error) } })
    #expect(errors.withLock { $0 } == [.init(line: 7, reason: .truncated)])
    #expect(part.entries.map(\.state) == timeline.entries.dropLast().map(\.state))
    #expect(part.position == 4)
    let two = try await HistoryTimeline<Draft>.imported(from: data.prefix(700), onDamage: { _ in })
    #expect(two.position == two.entries.count - 1)
    await #expect(throws: HistoryFileError.self) {
      _ = try await HistoryTimeline<Draft>.imported(from: data.prefix(150), onDamage: { _ in })
    }
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
    let (store, history) = Self.makeHistory()
    for _ in 0..<500 { await store.dispatch(Insert("a")) }
    let fractions = Mutex<[Double]>([])
    let progress = { @Sendable (fraction: Double) in fractions.withLock { $0.append(fraction) } }
    let data = try await history.timeline.exported(progress: progress)
    #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 && (50...102).contains($0.count) })
    fractions.withLock { $0 = [] }
    _ = try await HistoryTimeline<Draft>.imported(from: data, progress: progress)
    #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 && (50...102).contains($0.count) })
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

  // MARK: Restoring

  @Test func h8_aRestoredHistoryGoesOn() async throws {
    let timeline = await Self.makeTimeline()
    let dropped = Mutex<[UInt64]>([])
    let history = History<Draft>(onDrop: { entries in dropped.withLock { $0 += entries.map(\.revision) } })
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("old"))
    var states = store.states().makeAsyncIterator()
    _ = await states.next()
    try await store.dispatch(history.restore(timeline))
    #expect(await states.next() == timeline.entries[timeline.position].state)
    #expect(dropped.withLock { $0 } == [0, 1])
    #expect(history.timeline.text == timeline.text)
    #expect(await store.dispatch(history.redo()).isCommitted)
    #expect(await store.state.text == "c")
    // The revisions continue after those of the file.
    await store.dispatch(Insert("d"))
    #expect(history.timeline.entries.last?.revision == 8)
    #expect(history.timeline.entries.last?.duration != nil)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).isCommitted)
    #expect(await store.dispatch(history.undo()).reason == "The commit 2 cannot be undone.")
  }

  @Test func h8_limitsAndScopeApplyToRestoredEntries() async throws {
    let timeline = await Self.makeTimeline()
    let history = History<Draft>(maxCount: 3, scope: .part(\.text))
    let store = Store(Draft(text: "", cursor: 7), guards: [history])
    try await store.dispatch(history.restore(timeline))
    #expect(history.timeline.entries.map(\.revision) == [2, 4, 5])
    #expect(await store.state == Draft(text: "", cursor: 7))
    #expect(await history.status.state.position == 1)
  }

  /// In a transaction, only the state is restored.
  @Test func h8_aTransactionCanRestore() async throws {
    let timeline = await Self.makeTimeline()
    let (store, history) = Self.makeHistory()
    try await store.transaction { transaction in
      try transaction.run(history.restore(timeline))
      try transaction.run(Insert("e"))
    }
    #expect(await store.state.text == "e")
    #expect(history.timeline.entries.count == 2)
    // The history keeps the transaction, which captures the history, until it drops the entry.
    try await store.dispatch(history.rollback(to: 0))
  }
}
