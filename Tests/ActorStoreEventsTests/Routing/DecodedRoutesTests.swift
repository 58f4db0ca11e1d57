import ActorStoreEvents
import Foundation
import SeededRandom
import TestSize
import Testing

/// Decoded routes can be used, and encoded and decoded again, whatever their numbers are.
@Suite struct DecodedRoutesTests {
  private static let numbers = [
    "0", "-1", "1", "2", "3", "9007199254740992", "9007199254740993", "9223372036854775806", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "1e18",
  ]

  private static func use(_ routes: inout Routes<Page>, _ random: inout SplitMix64) {
    for _ in 0..<8 {
      switch random.below(6) {
      case 0, 1: routes.present(.todo(random.below(10)))
      case 2: routes.dismiss()
      case 3: if let sheet = routes.sheets.first { routes.dismiss(sheet: sheet.id) }
      case 4: if let sheet = routes.sheets.last { routes.setPath([.todo(1)], ofSheet: sheet.id) }
      default: routes.push(.todo(2))
      }
    }
    #expect(Set(routes.sheets.map(\.id)).count == routes.sheets.count)
  }

  @Test func e15_decodedRoutesCanBeUsedAndDecodedAgain() throws {
    var (random, used) = (SplitMix64(68), 0)
    for _ in 0..<TestSize.count(20_000, few: 2_000) {
      var routes = Routes<Page>()
      Self.use(&routes, &random)
      var json = String(decoding: try JSONEncoder().encode(routes), as: UTF8.self)
      for _ in 0..<random.below(3) {
        let places = json.matches(of: /"(id|lastSheetID)":(-?[0-9]+)/)
        if places.isEmpty { break }
        let place = places[random.below(places.count)]
        json.replaceSubrange(
          place.2.startIndex..<place.2.endIndex, with: Self.numbers[random.below(Self.numbers.count)])
      }
      guard var decoded = try? JSONDecoder().decode(Routes<Page>.self, from: Data(json.utf8)) else { continue }
      used += 1
      Self.use(&decoded, &random)
      let again = try JSONDecoder().decode(Routes<Page>.self, from: JSONEncoder().encode(decoded))
      #expect(again.tabs == decoded.tabs && again.selectedTab == decoded.selectedTab)
      #expect(again.sheets.map(\.stack) == decoded.sheets.map(\.stack))
      // Only large IDs change.
      if !json.contains("900719925474") && !json.contains("9223372036854775") { #expect(again == decoded) }
    }
    #expect(used > 1_000)
  }
}
