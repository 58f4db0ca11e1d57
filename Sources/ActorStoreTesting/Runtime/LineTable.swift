/// The lines of an executable's code, from a `.debug_line` section of DWARF, version 4.
///
/// The `Runtime` module can find lines, too, but runs the programs of all files for each address, which takes a second
/// for a large test bundle. This table runs only the program of the address's file.
///
/// A section consists of units, each with a header and a program. A program consists of sequences, each of which starts
/// at an address and computes rows in ascending order of their addresses. Swift emits a unit for each file, or for each
/// module in an optimized build.
struct LineTable: Sendable {
  /// The position of a line in the source code.
  struct Location: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int

    /// The file and the line, such as "Bank.swift:12".
    var description: String { "\(path.split(separator: "/").last ?? "?"):\(line)" }
  }

  /// The instructions that set the address of a sequence, in ascending order of their offsets.
  struct Starts: Sendable {
    // Two arrays of integers are fast in a debug build, too.
    var offsets: [Int] = []
    var addresses: [Int] = []
  }

  private let bytes: [UInt8]
  private let starts: Starts

  /// Creates a table from the bytes of a section.
  ///
  /// - Parameter starts: Instructions, each of which begins with ``setAddress``. Other bytes can look like one, but
  ///   their address is hardly ever the closest one.
  init(_ bytes: [UInt8], starts: Starts) {
    self.bytes = bytes
    self.starts = starts
  }

  /// `DW_LNE_set_address`, which precedes an address of eight bytes.
  static let setAddress: [UInt8] = [0, 9, 2]

  /// Returns the location of the code at an address of the section's file, or `nil` if it is unknown.
  func location(of address: UInt64) -> Location? {
    guard let position = Int(exactly: address) else { return nil }
    var closest: Int?
    var closestAddress = 0
    var index = 0
    for start in starts.addresses {
      if start <= position, start >= closestAddress { (closest, closestAddress) = (index, start) }
      index += 1
    }
    guard let closest else { return nil }
    do {
      let unit = try unit(at: starts.offsets[closest])
      // A sequence may set its file before its address, so start at the previous one, which ends in the initial state.
      let before = closest > 0 ? starts.offsets[closest - 1] : 0
      var reader = ByteReader(bytes, at: max(before, unit.program.lowerBound), end: unit.program.upperBound)
      guard let row = try unit.row(of: address, from: &reader), row.line > 0 else { return nil }
      // The code of a macro is in no file that a person can open.
      guard let path = unit.path(of: row.file), !path.contains("@__swiftmacro") else { return nil }
      return Location(path: path, line: row.line)
    } catch {
      return nil
    }
  }

  private func unit(at offset: Int) throws(ByteReader.Failure) -> Unit {
    var start = 0
    while true {
      var reader = ByteReader(bytes, at: start)
      let length = Int(try reader.fixed(UInt32.self))
      let end = reader.offset + length
      if offset < end { return try Unit(ByteReader(bytes, at: start + 4, end: end)) }
      start = end
    }
  }
}

/// The header of a unit, and its program.
private struct Unit {
  struct Row {
    var address: UInt64 = 0
    var file = 1
    var line = 1
  }

  let program: Range<Int>
  private let instructionLength: Int
  private let lineBase: Int
  private let lineRange: Int
  /// The number of operands of each standard instruction, starting with instruction 1.
  private let operands: [UInt8]
  private var folders: [String] = []
  private var files: [(name: String, folder: Int)] = []

  init(_ bytes: ByteReader) throws(ByteReader.Failure) {
    var reader = bytes
    guard try reader.fixed(UInt16.self) == 4 else { throw ByteReader.Failure() }
    let headerLength = Int(try reader.fixed(UInt32.self))
    program = reader.offset + headerLength..<max(reader.end, reader.offset + headerLength)
    instructionLength = Int(try reader.byte())
    _ = (try reader.byte(), try reader.byte())
    lineBase = Int(Int8(bitPattern: try reader.byte()))
    lineRange = max(1, Int(try reader.byte()))
    var operands: [UInt8] = []
    for _ in 1..<max(1, try reader.byte()) { operands.append(try reader.byte()) }
    self.operands = operands
    while let folder = try reader.string() { folders.append(folder) }
    while let name = try reader.string() {
      files.append((name, Int(truncatingIfNeeded: try reader.unsigned())))
      _ = (try reader.unsigned(), try reader.unsigned())
    }
  }

  func path(of number: Int) -> String? {
    guard files.indices.contains(number - 1) else { return nil }
    let file = files[number - 1]
    return folders.indices.contains(file.folder - 1) ? "\(folders[file.folder - 1])/\(file.name)" : file.name
  }

  /// Runs sequences until one computes the row of an address.
  func row(of address: UInt64, from reader: inout ByteReader) throws(ByteReader.Failure) -> Row? {
    var row = Row()
    var last: Row?
    while reader.offset < reader.end {
      let instruction = Int(try reader.byte())
      var addsRow = false
      var endsSequence = false
      switch instruction {
      case (operands.count + 1)...:
        let special = instruction - operands.count - 1
        row.address &+= UInt64(special / lineRange * instructionLength)
        row.line &+= lineBase + special % lineRange
        addsRow = true
      case 0:
        let end = Int(truncatingIfNeeded: try reader.unsigned()) &+ reader.offset
        switch try reader.byte() {
        case 1: (addsRow, endsSequence) = (true, true)
        case 2: row.address = try reader.fixed(UInt64.self)
        default: break
        }
        reader.offset = max(reader.offset, end)
      case 1: addsRow = true
      case 2: row.address &+= try reader.unsigned() &* UInt64(instructionLength)
      case 3: row.line &+= try reader.signed()
      case 4: row.file = Int(truncatingIfNeeded: try reader.unsigned())
      case 8: row.address &+= UInt64((255 - operands.count - 1) / lineRange * instructionLength)
      case 9: row.address &+= UInt64(try reader.fixed(UInt16.self))
      default: for _ in 0..<operands[instruction - 1] { _ = try reader.unsigned() }
      }
      if addsRow {
        if let last, last.address <= address, address < row.address { return last }
        last = endsSequence ? nil : row
        if endsSequence { row = Row() }
      }
    }
    return nil
  }
}
