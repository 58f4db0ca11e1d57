/// How many of the newest items are to be kept for those who keep so many and no more.
struct NewestDemand: Hashable, Sendable {
  /// How many of them keep so many.
  private var keepers: [Int: Int] = [:]
  private var count = 0
  private var most = 0
  /// How many have not taken all there is.
  private var behind = 0

  /// Not what each has yet to take, which would have to be looked for: the most that any of them keeps.
  var needed: Int { behind > 0 ? most : 0 }

  mutating func join(_ kept: Int) {
    keepers[kept, default: 0] += 1
    count += 1
    most = max(most, kept)
  }

  mutating func leave(_ kept: Int, isBehind: Bool) {
    let others = (keepers[kept] ?? 1) - 1
    keepers[kept] = others == 0 ? nil : others
    count -= 1
    if others == 0 { most = keepers.keys.max() ?? 0 }
    if isBehind { behind -= 1 }
  }

  /// There is a new item, which nobody has taken.
  mutating func fallBehind() {
    behind = count
  }

  /// One of them has taken all.
  mutating func catchUp() {
    behind -= 1
  }
}
