import ActorStore
import Foundation
import Synchronization
import Testing

@testable import ActorStoreHistory

@Suite struct BadFileTests {
  private func reason(_ data: Data, actions: ActionRegistry<Draft>? = draftActions) async throws -> HistoryFileError? {
    do {
      _ = try await HistoryTimeline<Draft>.imported(from: data, actions: actions)
      return nil
    } catch {
      return try #require(error as? HistoryFileError)
    }
  }

  @Test func h8_badFilesAreRefusedWithLineAndReason() async throws {
    let data = try await makeTimeline().exported(actions: draftActions)
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
    let data = try await makeTimeline().exported(actions: draftActions)
    await #expect(throws: HistoryFileError(line: 2, reason: .invalid("state.title is missing"))) {
      _ = try await HistoryTimeline<Page>.imported(from: data)
    }
    let error = try #require(try await reason(data, actions: ["insert": Paste.self, "move": MoveCursor.self]))
    #expect(error == .init(line: 3, reason: .invalid("action.value.clipboard is missing")))
    #expect("\(error)" == "Line 3 is invalid: action.value.clipboard is missing.")
  }

  @Test func h8_theGoodPartIsKeptOnRequest() async throws {
    let timeline = await makeTimeline()
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

  /// A file with valid checksums can still have invalid values.
  @Test(arguments: [
    (#""revision":1,"#, #""revision":2,"#, 4, "revision 2 occurs twice"),
    (#""step":2"#, #""step":0"#, 4, "step is less than 1"), (#""step":0"#, #""step":-1"#, 2, "step is less than 0"),
    (#""count":3"#, #""count":9223372036854775807"#, 1, "count is larger than 9007199254740992"),
    (#""revision":1,"#, #""revision":18446744073709551616,"#, 3, "the line: The given data was not valid JSON"),
    (#""date":1"#, #""date":1e300"#, 2, "date is 1e+300"),
    (#""position":2"#, #""position":3"#, 1, "position 3 of 3 entries"),
    (#""position":2"#, #""position":-1"#, 1, "position -1 of 3 entries"),
    (#""text":"aa""#, #""text":1"#, 4, "state.text is not a valid String"),
    (#""date":1"#, #""date":"nan""#, 2, "date is nan"),
  ])
  func h8_wrongValuesAreRefused(_ old: String, _ new: String, _ line: Int, _ text: String) async throws {
    let history = History<Draft>(clock: nil, date: { Date(timeIntervalSince1970: 1) })
    let store = Store(Draft(), guards: [history])
    for _ in 0..<2 { await store.dispatch(Insert("a")) }
    let file = String(decoding: try await history.timeline.exported(), as: UTF8.self)
    #expect(file.contains(old))
    let error = try await reason(file.replacing(old, with: new, maxReplacements: 1).resummed)
    #expect(error == HistoryFileError(line: line, reason: .invalid(text)))
  }

  @Test func h8_theGoodPartKeepsThePosition() async throws {
    let (store, history) = makeHistory()
    for _ in 0..<3 { await store.dispatch(Insert("a")) }
    try await store.dispatch(history.jump(to: 0))
    let data = try await history.timeline.exported()
    let part = try await HistoryTimeline<Draft>.imported(from: data.dropLast(9), onDamage: { _ in })
    #expect(part.entries.count == 3 && part.position == 0)
  }
}
