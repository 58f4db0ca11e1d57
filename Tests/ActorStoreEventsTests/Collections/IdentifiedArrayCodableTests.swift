import ActorStoreEvents
import Foundation
import Testing

@Suite struct IdentifiedArrayCodableTests {
  private struct Measured: Identifiable, Codable {
    let id: Double
  }

  private func decode(_ json: String) throws -> IdentifiedArray<Item> {
    try JSONDecoder().decode(IdentifiedArray<Item>.self, from: Data(json.utf8))
  }

  @Test func isEncodedLikeAnArray() throws {
    let items = [Item(2, 20), Item(1, 10)]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(IdentifiedArray(uniqueElements: items))
    #expect(data == (try encoder.encode(items)))
    let decoded = try JSONDecoder().decode(IdentifiedArray<Item>.self, from: data)
    #expect(decoded.elements == items)
    #expect(decoded.index(id: 1) == 1)
    #expect(try decode("[]").isEmpty)
  }

  @Test func aDuplicateIDIsAnErrorThatNamesIt() throws {
    let error = #expect(throws: DecodingError.self) {
      try decode(#"[{"id": 7, "value": 0}, {"id": 8, "value": 0}, {"id": 7, "value": 1}]"#)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "The elements at the indices 0 and 2 have the same ID, 7.")
  }

  @Test func anIDThatIsNotEqualToItselfIsAnError() throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(IdentifiedArray<Measured>.self, from: Data(#"[{"id": 1}, {"id": "nan"}]"#.utf8))
    }
    #expect("\(String(describing: error))".contains("The ID nan at index 1 is not equal to itself."))
  }

  @Test(arguments: ["{}", "null", "7", #"[{"id": 1}]"#, "[null]", #"[{"id": 1, "value": 2}, 3]"#])
  func otherBadInputIsAnError(_ json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }
}
