import ActorStore
import ActorStoreHistory
import Foundation
import SeededRandom
import TestSize
import Testing

/// Changes a valid file at random.
@Suite struct FileFuzzTests {
  private static func makeFile() async throws -> Data {
    let history = History<Draft>(clock: nil, date: { Date(timeIntervalSince1970: 1) })
    let store = Store(Draft(), guards: [history])
    for letter in ["a", "\u{e9}", "\"", "\n", "e"] { await store.dispatch(Insert(letter)) }
    await store.dispatch(history.undo())
    return try await history.timeline.exported(actions: draftActions)
  }

  private static func mutate(_ data: Data, _ random: inout SplitMix64) -> Data {
    var bytes = [UInt8](data)
    for _ in 0...random.below(3) {
      if bytes.isEmpty { break }
      let index = random.below(bytes.count)
      let other = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[index] = UInt8(random.below(256))
      case 1: bytes[index] ^= 1 << UInt8(random.below(8))
      case 2: bytes.insert(UInt8(random.below(256)), at: index)
      case 3: bytes.removeSubrange(min(index, other)..<max(index, other))
      case 4: bytes.insert(contentsOf: bytes[min(index, other)..<max(index, other)], at: index)
      default: bytes.removeLast(index)
      }
    }
    return Data(bytes)
  }

  /// The import refuses a changed file, or returns the same entries.
  @Test func h8_mutationsOfAFileAreRefusedOrEqual() async throws {
    let data = try await Self.makeFile()
    let text = try await HistoryTimeline<Draft>.imported(from: data, actions: draftActions).text
    var random = SplitMix64(45)
    var refused = 0
    for _ in 0..<TestSize.count(10_000, few: 2_000) {
      let mutation = Self.mutate(data, &random)
      do {
        let imported = try await HistoryTimeline<Draft>.imported(from: mutation, actions: draftActions)
        guard imported.text == text else {
          Issue.record("a changed file was imported: \(String(decoding: mutation, as: UTF8.self))")
          return
        }
      } catch {
        #expect(error is HistoryFileError)
        refused += 1
      }
      // The good part is a prefix of the file.
      if let part = try? await HistoryTimeline<Draft>.imported(from: mutation, onDamage: { _ in }) {
        #expect(part.entries.map(\.revision) == Array(0..<UInt64(part.entries.count)))
      }
    }
    #expect(refused > 1_000)
  }
}
