/// A stack that keeps its memory, so that a removal changes only the count.
///
/// An array checks at each removal that no copy shares its memory. The elements need no release, so removed elements
/// can stay in memory.
struct Stack<Element: BitwiseCopyable> {
  /// The elements, followed by removed ones.
  private var memory: ContiguousArray<Element> = []
  private(set) var count = 0

  /// The number of elements for which it has memory.
  var capacity: Int { memory.capacity }

  @inline(__always)  // HP24
  mutating func append(_ element: Element) {
    if count < memory.count { memory[count] = element } else { memory.append(element) }
    count &+= 1
  }

  /// Removes the elements from an index on.
  @inline(__always)  // HP24
  mutating func removeAll(from index: Int) {
    assert(
      0 <= index && index <= count,
      "Atoms: more elements were removed from a stack than it contains. This is a bug in Atoms.")
    count = index
  }

  @inline(__always)  // HP24
  mutating func removeLast() { removeAll(from: count &- 1) }

  mutating func popLast() -> Element? {
    guard let last else { return nil }
    removeLast()
    return last
  }

  var last: Element? {
    @inline(__always)  // HP24
    get { count == 0 ? nil : memory[count &- 1] }
  }
}

extension Stack: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    @inline(__always)  // HP24
    get { memory[index] }
    @inline(__always)  // HP24
    set { memory[index] = newValue }
    @inline(__always)  // HP24
    _modify { yield &memory[index] }
  }
}

extension Stack: Sendable where Element: Sendable {}

extension Stack: Equatable where Element: Equatable {
  static func == (one: Stack, other: Stack) -> Bool { one.elementsEqual(other) }
}

extension Stack: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
