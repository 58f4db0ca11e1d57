import Testing

@testable import ActorStoreTesting

/// The lines of code, from debug information.
@Suite struct LineTableTests {
  /// A unit with a program.
  private func unit(version: UInt8 = 4, _ program: [UInt8]) -> [UInt8] {
    var header: [UInt8] = [1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
    header += [UInt8]("/bank\0\0".utf8)
    for (name, folder) in [("Bank.swift", 1), ("Account.swift", 0), ("@__swiftmacro_4Bank.swift", 0)] {
      header += [UInt8](name.utf8) + [0, UInt8(folder), 0, 0]
    }
    header.append(0)
    let contents = [version, 0] + number(header.count) + header + program
    return number(contents.count) + contents
  }

  private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  private func setAddress(_ address: UInt64) -> [UInt8] {
    [0, 9, 2] + (0..<8).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
  }

  private let endSequence: [UInt8] = [0, 1, 1]

  private func table(_ bytes: [UInt8]) -> LineTable {
    let offsets = bytes.indices.filter { bytes[$0...].starts(with: LineTable.setAddress) }
    let addresses = offsets.map { offset in
      (0..<8).reduce(0) { $0 | (bytes.indices.contains(offset + 3 + $1) ? Int(bytes[offset + 3 + $1]) << ($1 * 8) : 0) }
    }
    return LineTable(bytes, starts: LineTable.Starts(offsets: offsets, addresses: addresses))
  }

  /// Lines 10 to 12 of `Bank.swift`, and lines 1 and 200 of `Account.swift`, which comes first.
  private var program: [UInt8] {
    let account = [4, 2] + setAddress(0x2000) + [1, 3, 0xc7, 1, 2, 0x80, 1, 1, 2, 16] + endSequence
    // Instruction 75 adds 4 to the address and 1 to the line.
    let bank = setAddress(0x1000) + [3, 9, 1, 75, 8, 3, 1, 1, 9, 16, 0, 3, 0x74, 1, 2, 4] + endSequence
    return account + bank
  }

  @Test(
    arguments: [
      (0x0fff, nil), (0x1000, "Bank.swift:10"), (0x1003, "Bank.swift:10"), (0x1004, "Bank.swift:11"),
      (0x1014, "Bank.swift:11"), (0x1015, "Bank.swift:12"), (0x1024, "Bank.swift:12"), (0x1025, nil), (0x1028, nil),
      (0x1029, nil), (0x1fff, nil), (0x2000, "Account.swift:1"), (0x207f, "Account.swift:1"),
      (0x2080, "Account.swift:200"), (0x208f, "Account.swift:200"), (0x2090, nil),
    ] as [(Int, String?)]) func findsTheLine(address: Int, location: String?)
  {
    let table = table(unit(program))
    #expect(table.location(of: UInt64(address))?.description == location)
  }

  @Test func pathContainsTheFolder() {
    let table = table(unit(program))
    #expect(table.location(of: 0x1000) == LineTable.Location(path: "/bank/Bank.swift", line: 10))
    #expect(table.location(of: 0x2000)?.path == "Account.swift")
  }

  @Test func codeOfAMacroHasNoLine() {
    let table = table(unit([4, 3] + setAddress(0x1000) + [1, 2, 16] + endSequence))
    #expect(table.location(of: 0x1000) == nil)
  }

  @Test func findsTheUnit() {
    let other = setAddress(0x3000) + [1, 2, 16] + endSequence
    let table = table(unit(other) + unit(program) + unit(version: 5, setAddress(0x4000) + [1, 2, 16] + endSequence))
    #expect(table.location(of: 0x3000)?.description == "Bank.swift:1")
    #expect(table.location(of: 0x1000)?.description == "Bank.swift:10")
    // Another version has another header.
    #expect(table.location(of: 0x4000) == nil)
  }

  @Test func brokenInformationIsIgnored() {
    let bytes = unit(program)
    #expect(table([]).location(of: 0) == nil)
    for count in bytes.indices {
      #expect(table(Array(bytes[..<count])).location(of: 0x2081)?.line ?? 200 == 200)
      var changed = bytes
      for value: UInt8 in [0, 0x7f, 0xff] {
        changed[count] = value
        _ = table(changed).location(of: 0x1004)
      }
    }
  }

  @Test func signedNumbersExtendTheirSign() throws {
    for (bytes, value) in [([2], 2), ([0x7e], -2), ([0xff, 0], 127), ([0x80, 0x7f], -128)] as [([UInt8], Int)] {
      var reader = ByteReader(bytes)
      #expect(try reader.signed() == value)
    }
  }

  #if os(Linux)
    @Test func fileWithoutLinesHasNoTable() {
      #expect(LineTable(ofFileAt: #filePath) == nil)
      #expect(LineTable(ofFileAt: "/no/such/file") == nil)
    }
  #endif
}
