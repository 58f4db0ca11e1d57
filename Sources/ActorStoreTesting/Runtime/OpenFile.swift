#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A file that is open for reading.
  struct OpenFile: ~Copyable {
    private let descriptor: CInt

    /// Opens a file, or returns `nil` if the system refuses to.
    init?(_ path: String) {
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Reads bytes, or fewer if the file ends earlier.
    func read(at offset: Int, count: Int) -> [UInt8] {
      // A broken file could claim any size.
      guard offset >= 0, (0..<1 << 30).contains(count) else { return [] }
      // Safe: the buffer has room for the bytes, and its count is the number of bytes read.
      return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
        count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
      }
    }

    /// The path to which a symbolic link refers, or `nil` if there is no such link.
    static func target(ofLinkAt path: String) -> String? {
      var bytes = [CChar](repeating: 0, count: 4_096)
      // Safe: the array has room for the bytes.
      let count = unsafe readlink(path, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
  }
#endif
