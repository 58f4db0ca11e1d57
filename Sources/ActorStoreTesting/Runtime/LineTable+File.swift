#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension LineTable {
    /// Creates a table from the debug information of an executable or a library, or returns `nil` if it has none.
    ///
    /// The file is a 64-bit little-endian ELF file whose section is not compressed.
    init?(ofFileAt path: String) {
      guard let file = OpenFile(path), let section = try? Self.section(".debug_line", of: file) else { return nil }
      self.init(section, starts: Self.starts(in: section))
    }

    private static func section(_ name: String, of file: borrowing OpenFile) throws(ByteReader.Failure) -> [UInt8] {
      let header = file.read(at: 0, count: 64)
      guard header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { throw ByteReader.Failure() }
      var reader = ByteReader(header, at: 0x28)
      let start = Int(truncatingIfNeeded: try reader.fixed(UInt64.self))
      reader.offset = 0x3a
      let (size, count) = (Int(try reader.fixed(UInt16.self)), Int(try reader.fixed(UInt16.self)))
      let namesIndex = Int(try reader.fixed(UInt16.self))
      let headers = file.read(at: start, count: size * count)

      func section(_ index: Int) throws(ByteReader.Failure) -> (name: Int, flags: UInt64, offset: Int, size: Int) {
        var reader = ByteReader(headers, at: index * size)
        let name = Int(try reader.fixed(UInt32.self))
        reader.offset += 4
        let flags = try reader.fixed(UInt64.self)
        reader.offset += 8
        let (offset, size) = (try reader.fixed(UInt64.self), try reader.fixed(UInt64.self))
        return (name, flags, Int(truncatingIfNeeded: offset), Int(truncatingIfNeeded: size))
      }
      let names = try section(namesIndex)
      let nameBytes = file.read(at: names.offset, count: names.size)
      for index in 0..<count {
        let found = try section(index)
        var reader = ByteReader(nameBytes, at: found.name)
        let isCompressed = found.flags & 0x800 != 0
        if try reader.string() == name, !isCompressed { return file.read(at: found.offset, count: found.size) }
      }
      throw ByteReader.Failure()
    }

    /// Finds the instructions that set an address.
    ///
    /// It searches for each instruction's second byte, which is rare, with `memchr`, which is fast even in a debug
    /// build.
    private static func starts(in bytes: [UInt8]) -> Starts {
      var starts = Starts()
      let (first, second, third) = (setAddress[0], CInt(setAddress[1]), setAddress[2])
      unsafe bytes.withUnsafeBytes { buffer in
        guard let memory = buffer.baseAddress else { return }
        var offset = 0
        // An instruction has eleven bytes.
        while let found = unsafe memchr(memory + offset, second, max(0, bytes.count - 9 - offset)) {
          offset = unsafe UnsafeRawPointer(found) - memory + 1
          guard offset > 1, bytes[offset - 2] == first, bytes[offset] == third else { continue }
          starts.offsets.append(offset - 2)
          starts.addresses.append(unsafe (memory + (offset + 1)).loadUnaligned(as: Int.self))
        }
      }
      return starts
    }
  }
#endif
