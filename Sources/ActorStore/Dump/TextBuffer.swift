/// A text under construction, as UTF-8.
///
/// Appending many short strings to a `String` or an array takes several times as long. A short text is written into the
/// memory of its string.
@safe struct TextBuffer: ~Copyable {
  // Invariant: there is memory for `capacity` bytes, of which the first `count` are initialized.
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
    var isComplete = false
    var long: String?
    let short = unsafe String(unsafeUninitializedCapacity: 250) { memory in
      var buffer = unsafe TextBuffer(memory)
      isComplete = body(&buffer)
      if buffer.isOnHeap { long = buffer.string }
      return isComplete && !buffer.isOnHeap ? buffer.count : 0
    }
    return isComplete ? long ?? short : nil
  }

  private var string: String {
    unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
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
    // Division takes longer than multiplication. The largest number has 20 digits.
    var (digits, power) = (1, 10 as UInt64)
    while digits < 20, number >= power {
      digits &+= 1
      power = power &* 10
    }
    reserve(digits)
    count &+= digits
    var rest = number
    for digit in 1...digits {
      unsafe bytes[count &- digit] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
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
    var index = start
    while index < count {
      if unsafe self[index].isNewline { return index }
      index &+= 1
    }
    return nil
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { 0x20 }
  fileprivate var isNewline: Bool { self == 0x0A || self == 0x0D }
  /// Whether the character is `+`, `-`, or `!`.
  fileprivate var isMark: Bool { self == 0x2B || self == 0x2D || self == 0x21 }
}
