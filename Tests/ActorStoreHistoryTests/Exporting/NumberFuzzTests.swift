import ActorStore
import Foundation
import SeededRandom
import TestSize
import Testing

@testable import ActorStoreHistory

/// An imported history can be used, exported, and imported again, whatever numbers its file contains.
@Suite struct NumberFuzzTests {
  private static let numbers = [
    "0", "-1", "1", "9007199254740991", "9007199254740992", "9007199254740993", "4611686018427387904",
    "9223372036854775806", "9223372036854775807", "9223372036854775808", "18446744073709551615", "1e18", "1e300",
    "-9223372036854775808", "64092211200", "64092211201", "0.5", "5e-324",
  ]

  private static func makeFile(_ count: Int) async throws -> String {
    let history = History<Draft>(clock: SuspendingClock(), date: { Date(timeIntervalSince1970: 1) })
    let store = Store(Draft(), guards: [history])
    for _ in 0..<count { await store.dispatch(Insert("a")) }
    await store.dispatch(history.undo())
    return String(decoding: try await history.timeline.exported(actions: draftActions), as: UTF8.self)
  }

  /// Replaces some numbers that follow a colon.
  private static func mutate(_ file: String, _ random: inout SplitMix64) -> String {
    var file = file
    for _ in 0...random.below(3) {
      let places = file.matches(of: /"(count|position|revision|step|date|nanoseconds)":(-?[0-9.e+]+)/)
      let place = places[random.below(places.count)]
      file.replaceSubrange(place.2.startIndex..<place.2.endIndex, with: numbers[random.below(numbers.count)])
    }
    return file
  }

  @Test func h8_anImportedHistoryCanBeUsedAndImportedAgain() async throws {
    let file = try await Self.makeFile(4)
    var (random, used) = (SplitMix64(68), 0)
    for _ in 0..<TestSize.count(5_000, few: 500) {
      let data = Self.mutate(file, &random).resummed
      guard
        let timeline = try? await HistoryTimeline<Draft>.imported(
          from: data, actions: draftActions, onDamage: { _ in }, progress: { _ in })
      else { continue }
      used += 1
      let history = History<Draft>(clock: nil, date: { Date(timeIntervalSince1970: .infinity) })
      let store = Store(Draft(), guards: [history])
      try await store.dispatch(history.restore(timeline))
      for _ in 0..<3 { await store.dispatch(Insert("b")) }
      await store.dispatch(history.undo())
      await history.step { _ = await store.dispatch(Insert("c")) }
      let again = history.timeline
      let exported = try await again.exported(actions: draftActions, progress: { _ in })
      let imported = try await HistoryTimeline<Draft>.imported(from: exported, actions: draftActions)
      #expect(imported.entries.map(\.state) == again.entries.map(\.state))
      #expect(imported.position == again.position)
      let replay = try await imported.replayed(with: draftActions)
      #expect(replay.difference == nil || timeline.entries.count < 5)
    }
    #expect(used > 100)
  }

  /// Renumbering keeps the order of the revisions and the division into steps.
  @Test func h8_largeNumbersBeginAnew() async throws {
    let file = try await Self.makeFile(3).replacing(#""revision":1,"#, with: #""revision":18446744073709551615,"#)
    let timeline = try await HistoryTimeline<Draft>.imported(from: file.resummed)
    #expect(timeline.entries.map(\.revision) == [0, 3, 1, 2])
    #expect(timeline.entries.map(\.step) == [0, 1, 2, 3])
    let steps = try await Self.makeFile(3).replacing(#""step":3"#, with: #""step":9223372036854775807"#)
    #expect(try await HistoryTimeline<Draft>.imported(from: steps.resummed).entries.map(\.step) == [0, 1, 2, 3])
  }

  /// An impossible count does not trap when the import reports its progress.
  @Test func h8_aLargeCountOfADamagedFile() async throws {
    let file = try await Self.makeFile(3).replacing(#""count":4"#, with: #""count":9007199254740992"#)
    let part = try await HistoryTimeline<Draft>.imported(from: file.resummed, onDamage: { _ in }, progress: { _ in })
    #expect(part.entries.count == 4)
  }
}
