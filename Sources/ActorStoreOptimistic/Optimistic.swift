/// A value that shows changes before they are confirmed.
///
/// ```swift
/// var title = Optimistic("Untitled")
/// let change = title.apply("Draft")  // title.current == "Draft"
/// title.takeBack(change)             // title.current == "Untitled"
/// ```
///
/// ``current`` is the value of the newest change without an answer or, if there is none, ``confirmed``. The order of
/// the changes decides, not the order of the answers. So confirming a change also settles the changes before it, and
/// their later answers have no effect. Taking back a change removes only that change.
///
/// ``OptimisticUpdate`` makes these calls for a value in the state of a store.
///
/// Applying a change takes constant time, and answering one takes logarithmic time (both amortized).
public struct Optimistic<Value> {
  /// A change of the value, which you confirm or take back once.
  public struct Change: Hashable, Sendable {
    /// The number of the change, which is larger than those of all earlier changes of the value.
    ///
    /// With it, a server can ignore a request that arrives after a newer one.
    public let number: UInt64
  }

  fileprivate struct Pending {
    let number: UInt64
    /// The value, or `nil` if the change has an answer.
    var value: Value?

    var isAnswered: Bool { if case nil = value { true } else { false } }
  }

  /// The value of the newest confirmed change, or the first value.
  public private(set) var confirmed: Value
  /// The changes after the newest confirmed one, from the oldest to the newest.
  ///
  /// The last element has no answer. All elements before `head` have one.
  private var changes: [Pending] = []
  private var head = 0
  private var lastNumber: UInt64 = 0

  /// Creates a confirmed value.
  public init(_ confirmed: Value) {
    self.confirmed = confirmed
  }

  /// The value of the newest change without an answer or, if there is none, the confirmed value.
  public var current: Value { changes.last?.value ?? confirmed }

  /// Whether any change has no answer.
  public var isPending: Bool { !changes.isEmpty }

  /// Shows a value until it is confirmed or taken back, or until a newer change shows another one.
  ///
  /// - Returns: The change, which you pass to ``confirm(_:)`` or ``takeBack(_:)``.
  public mutating func apply(_ value: Value) -> Change {
    lastNumber += 1
    changes.append(Pending(number: lastNumber, value: value))
    return Change(number: lastNumber)
  }

  /// Makes the value of a change the confirmed value, unless a newer change has been confirmed.
  ///
  /// Changes before it no longer matter. If the change has an answer already, the call does nothing.
  public mutating func confirm(_ change: Change) {
    guard let index = index(of: change), let value = changes[index].value.take() else { return }
    confirmed = value
    for older in head..<index { changes[older].value = nil }
    dropAnswered()
  }

  /// Removes a change.
  ///
  /// If it was the newest change without an answer, ``current`` is again the value of the one before it or, if there is
  /// none, ``confirmed``. If the change has an answer already, the call does nothing.
  public mutating func takeBack(_ change: Change) {
    guard let index = index(of: change) else { return }
    changes[index].value = nil
    dropAnswered()
  }

  private func index(of change: Change) -> Int? {
    var (low, high) = (head, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].number < change.number { low = middle + 1 } else { high = middle }
    }
    return low < changes.count && changes[low].number == change.number ? low : nil
  }

  private mutating func dropAnswered() {
    while let last = changes.last, last.isAnswered { changes.removeLast() }
    head = min(head, changes.count)
    while head < changes.count, changes[head].isAnswered { head += 1 }
    if head * 2 < changes.count { return }
    changes.removeFirst(head)
    head = 0
  }
}

extension Optimistic: Sendable where Value: Sendable {}
extension Optimistic.Pending: Sendable where Value: Sendable {}

extension Optimistic: Equatable where Value: Equatable {
  /// Whether two values have the same confirmed value and show the same changes.
  public static func == (one: Optimistic, other: Optimistic) -> Bool {
    one.confirmed == other.confirmed && one.values.elementsEqual(other.values)
  }

  private var values: some Sequence<Value> { changes[head...].lazy.compactMap(\.value) }
}
