import SeededRandom
import Testing

@testable import ActorStore

/// Compares the hash table with a dictionary.
@Suite struct AddressRowsTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func matchesADictionary(_ seed: UInt64) {
    var random = SplitMix64(seed)
    // Addresses are multiples of 8, or next to each other.
    let step: UInt = seed % 2 == 0 ? 8 : 1
    var table = AddressRows()
    var model: [UInt: Int] = [:]
    for _ in 0..<1_000 {
      let address = (UInt(random.below(2_000)) + 1) * step
      if model[address] == nil, random.below(2) == 0 {
        let row = random.below(100)
        table.insert(address, row: row)
        model[address] = row
      }
      #expect(table[address] == model[address])
    }
    #expect(table.count == model.count)
    for address in 1...2_000 as ClosedRange<UInt> {
      #expect(table[address * step] == model[address * step])
    }
  }

  /// Labels with the same address have the same text, and labels with different texts have different addresses.
  @Test func labelsHaveAddresses() {
    let labels: [StaticString] = ["", "a", "b", "ab", "abc", "bc", "closure"]
    #expect(Set(labels.map(addressOfText)).count == labels.count)
    #expect(labels.allSatisfy { addressOfText($0) != 0 })
    let scalar: StaticString = scalarLiteral()
    #expect(!scalar.hasPointerRepresentation && addressOfText(scalar) != 0)
  }

  /// Returns a literal that contains no pointer.
  private func scalarLiteral<Literal: ExpressibleByUnicodeScalarLiteral>() -> Literal { "\0" }
}
