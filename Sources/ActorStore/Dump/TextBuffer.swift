/// A text under construction, as UTF-8.
///
/// Appending many short strings to a `String` or an array takes several times as long. A short text is built on the
/// stack.
@safe struct TextBuffer: ~Copyable {
  // Invariant: there is memory for `capacity` bytes, of which the first `count` are initialized. These are valid UTF-8
  // when `string` reads them, because each character is appended whole.
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  private var isOnHeap = false

  private init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    // The memory is not empty, so it has an address.
    unsafe bytes = memory.baseAddress!
    capacity = memory.count
  }

  deinit {
    if isOnHeap { unsafe bytes.deallocate() }
  }

  /// Returns the text that a closure appends, or `nil` if the closure returns `false`.
  static func text(_ body: (inout TextBuffer) -> Bool) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 500) { memory in
      var buffer = unsafe TextBuffer(memory)
      return body(&buffer) ? buffer.string : nil
    }
  }

  private var string: String {
    let text = unsafe UnsafeBufferPointer(start: bytes, count: count)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // Validating the bytes takes longer than copying them.
      return unsafe String(copying: UTF8Span(unchecked: text.span))
    }
    return unsafe String(decoding: text, as: UTF8.self)
  }

  // MARK: Appending

  mutating func append(text: String) {
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe append($0) }) == nil {
      for byte in text.utf8 { append(byte: byte) }
    }
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append($0) }
  }

  private mutating func append(byte: UInt8) {
    reserve(1)
    unsafe bytes[count] = byte
    count &+= 1
  }

  mutating func append(_ number: UInt64) {
    if number < 100_000_000 {
      let digits = number.eightDigits
      append(digits: digits, from: min(digits.trailingZeroBitCount / 8, 7))
    } else {
      append(number / 100_000_000)
      append(digits: (number % 100_000_000).eightDigits, from: 0)
    }
  }

  /// Appends the digits of a word from `eightDigits`, beginning with the digit at an index.
  ///
  /// It always writes eight bytes. The bytes after the last digit do not count.
  private mutating func append(digits: UInt64, from first: Int) {
    reserve(8)
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(8 &* first)
    unsafe UnsafeMutableRawPointer(bytes + count).storeBytes(of: text.littleEndian, as: UInt64.self)
    count &+= 8 &- first
  }

  /// Appends a text, with a space in place of each newline and of the spaces that indent a line.
  ///
  /// In a difference, a mark may precede these spaces.
  mutating func append(onOneLine text: String) {
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe append(onOneLine: $0) }) == nil {
      append(onOneLine: String(decoding: Array(text.utf8), as: UTF8.self))
    }
  }

  private mutating func append(onOneLine text: UnsafeBufferPointer<UInt8>) {
    guard var newline = unsafe text.indexOfNewline(from: 0) else { return unsafe append(text) }
    let start = count
    var index = 0
    while true {
      while index < newline, unsafe text[index].isMark || text[index] == .space {
        if unsafe text[index].isMark {
          unsafe append(byte: text[index])
          append(byte: .space)
        }
        index &+= 1
      }
      unsafe append(UnsafeBufferPointer(rebasing: text[index..<newline]))
      if newline == text.count { return }
      if count > start, unsafe bytes[count &- 1] != .space { append(byte: .space) }
      index = newline &+ 1
      newline = unsafe text.indexOfNewline(from: index) ?? text.count
    }
  }

  private mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    guard let start = more.baseAddress else { return }
    reserve(more.count)
    unsafe (bytes + count).update(from: start, count: more.count)
    count &+= more.count
  }

  // MARK: Memory

  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    let larger = 2 * capacity + more
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes, count: count)
    if isOnHeap { unsafe bytes.deallocate() }
    unsafe bytes = memory
    (capacity, isOnHeap) = (larger, true)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func indexOfNewline(from start: Int) -> Int? {
    guard let bytes = unsafe UnsafeRawPointer(baseAddress) else { return nil }
    var index = start
    while index &+ 8 <= count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let skipped = UInt64(littleEndian: word).bytesBeforeNewline
      index &+= skipped
      if skipped < 8 { return index }
    }
    while index < count {
      if unsafe self[index].isNewline { return index }
      index &+= 1
    }
    return nil
  }
}

extension UInt64 {
  /// The eight digits of a number below 100,000,000, each in one byte, with the first digit in the lowest byte.
  ///
  /// The number is split into halves, then quarters, then digits. Because all parts are in one word, one multiplication
  /// divides all of them, and there is no loop over the digits.
  fileprivate var eightDigits: UInt64 {
    let halves = (self / 10_000) | ((self % 10_000) &<< 32)
    let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let quarters = hundreds | ((halves &- hundreds &* 100) &<< 16)
    let tens = ((quarters &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens | ((quarters &- tens &* 10) &<< 8)
  }

  /// The number of bytes before the first newline, or eight if there is none.
  fileprivate var bytesBeforeNewline: Int {
    (marks(of: 0x0A) | marks(of: 0x0D)).trailingZeroBitCount / 8
  }

  /// Returns a word that marks the first byte that has this value, and no byte before it.
  ///
  /// A mark is the highest bit of a byte. Subtracting 1 from a zero byte sets that bit. The borrow may also mark later
  /// bytes that do not have this value.
  private func marks(of byte: UInt64) -> UInt64 {
    let ones = 0x0101_0101_0101_0101 as UInt64
    let difference = self ^ (byte &* ones)
    return (difference &- ones) & ~difference & (ones &<< 7)
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { 0x20 }
  fileprivate var isNewline: Bool { self == 0x0A || self == 0x0D }
  /// Whether the character is `+`, `-`, or `!`.
  fileprivate var isMark: Bool { self == 0x2B || self == 0x2D || self == 0x21 }
}
