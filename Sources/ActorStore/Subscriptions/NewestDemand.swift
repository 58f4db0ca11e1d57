/// The number of newest items to keep for subscribers that buffer only the newest.
struct NewestDemand: Hashable, Sendable {
  /// The number of subscribers for each buffer size.
  private var subscribers: [Int: Int] = [:]
  private var count = 0
  private var largestSize = 0
  /// The number of subscribers that have yet to take an item.
  private var behind = 0

  /// The largest buffer size if any subscriber is behind.
  ///
  /// Finding the actual need would require a search.
  var needed: Int { behind > 0 ? largestSize : 0 }

  mutating func join(_ size: Int) {
    subscribers[size, default: 0] += 1
    count += 1
    largestSize = max(largestSize, size)
  }

  mutating func leave(_ size: Int, isBehind: Bool) {
    let others = (subscribers[size] ?? 1) - 1
    subscribers[size] = others == 0 ? nil : others
    count -= 1
    if others == 0 { largestSize = subscribers.keys.max() ?? 0 }
    if isBehind { behind -= 1 }
  }

  /// Records a new item, which no subscriber has taken.
  mutating func fallBehind() {
    behind = count
  }

  /// Records that one subscriber has taken all items.
  mutating func catchUp() {
    behind -= 1
  }
}
