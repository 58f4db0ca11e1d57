import SeededRandom

@testable import ActorStoreEvents

extension ArrayStep {
  static func move(_ offsets: [Int], to destination: Int) -> Self {
    Self("move(fromOffsets: \(offsets), toOffset: \(destination))") { array in
      if destination > array.count { return nil }
      array.move(fromOffsets: offsets.filter(array.indices.contains), toOffset: destination)
      return nil
    } model: { model in
      if destination > model.count { return nil }
      let moved = model.existing(offsets)
      let others = model.indices.filter { !moved.contains($0) }
      let order = others.filter { $0 < destination } + moved + others.filter { $0 >= destination }
      model = order.map { model[$0] }
      return nil
    }
  }

  static func swapAt(_ one: Int, _ other: Int) -> Self {
    Self("swapAt(\(one), \(other))") {
      if max(one, other) < $0.count { $0.swapAt(one, other) }
      return nil
    } model: {
      if max(one, other) < $0.count { $0.swapAt(one, other) }
      return nil
    }
  }

  static let sort = Self("sort()") {
    $0.sort()
    return nil
  } model: {
    $0.sort()
    return nil
  }

  static let sortDescending = Self("sort(by: >)") {
    $0.sort { $0.id > $1.id }
    return nil
  } model: {
    $0.sort { $0.id > $1.id }
    return nil
  }

  static func sort(throwingAfter comparisons: Int) -> Self {
    Self("sort that throws after \(comparisons) comparisons") { array in
      var left = comparisons
      return try? array.sort { try Self.compare($0, $1, &left) }
    } model: { model in
      var left = comparisons
      return try? model.sort { try Self.compare($0, $1, &left) }
    }
  }

  private static func compare(_ one: Item, _ other: Item, _ left: inout Int) throws -> Bool {
    left -= 1
    if left < 0 { throw Refusal() }
    return one < other
  }

  static let reverse = Self("reverse()") {
    $0.reverse()
    return nil
  } model: {
    $0.reverse()
    return nil
  }

  static func shuffle(_ seed: UInt64) -> Self {
    Self("shuffle with the seed \(seed)") {
      var random = SplitMix64(seed)
      $0.shuffle(using: &random)
      return nil
    } model: {
      var random = SplitMix64(seed)
      $0.shuffle(using: &random)
      return nil
    }
  }

  static func filter(notDivisibleBy divisor: Int) -> Self {
    Self("filter { $0.id % \(divisor) != 0 }") {
      $0 = $0.filter { $0.id % divisor != 0 }
      return nil
    } model: {
      $0 = $0.filter { $0.id % divisor != 0 }
      return nil
    }
  }
}
