import ActorStoreEvents
import SeededRandom
import TestSize
import Testing

/// Compares the identified array with a plain array.
@Suite struct IdentifiedArrayModelTests {
  @Test func matchesAnArrayOverRandomOperations() throws {
    for seed in 0..<UInt64(TestSize.count(1000)) {
      var random = SplitMix64(seed)
      var array = IdentifiedArray<Item>()
      var model: [Item] = []
      for _ in 0..<200 {
        let step = Self.randomStep(&random)
        let (before, old) = (array, model)
        let difference = step.perform(&array, &model) ?? Self.difference(array, model)
        // A copy that was made before the operation keeps its elements.
        try #require(difference == nil && before.elements == old, "seed \(seed): \(difference ?? "a copy changed")")
      }
    }
  }

  /// Each short sequence of operations on few IDs has the same result.
  @Test func matchesAnArrayOverEveryShortSequence() throws {
    func search(_ array: IdentifiedArray<Item>, _ model: [Item], _ length: Int) -> String? {
      for step in Self.steps {
        var (next, nextModel) = (array, model)
        if let difference = step.perform(&next, &nextModel) { return difference }
        if length > 1, let difference = search(next, nextModel, length - 1) { return "\(step), \(difference)" }
      }
      return nil
    }
    #expect(search([], [], 2) == nil)
    let items = [Item(0, 5), Item(1, 4), Item(2, 3)]
    #expect(search(IdentifiedArray(uniqueElements: items), items, TestSize.length(3, short: 2)) == nil)
  }

  private static let steps: [ArrayStep] = {
    var steps: [ArrayStep] = [
      .removeFirst, .removeLast, .popLast, .sort, .sortDescending, .reverse, .shuffle(1), .shuffle(2),
      .sort(throwingAfter: 0), .sort(throwingAfter: 1), .sort(throwingAfter: 2), .filter(notDivisibleBy: 2),
      .removeAll(divisibleBy: 2), .removeAll(divisibleBy: 3), .removeAll(keepingCapacity: false),
      .removeAll(keepingCapacity: true), .append(contentsOf: [Item(3, 0), Item(0, 1), Item(4, 2), Item(3, 9)]),
    ]
    for id in 0..<4 {
      steps += [
        .append(Item(id, 6)), .updateOrAppend(Item(id, 7)), .remove(id: id), .set(id: id, 8), .set(id: id, nil),
      ]
      steps += [.edit(id: id, adding: 1), .editAndThrow(id: id, 9), .editAndThrow(id: id, nil)]
      steps += [.removeAll(throwingAt: id), .remove(ids: [id, 5, 0])]
      for newID in 0..<4 {
        steps += [
          .update(id: id, newID: newID, 10, throwing: false), .update(id: id, newID: newID, 11, throwing: true),
        ]
      }
    }
    for position in 0..<4 {
      steps += [.remove(at: position), .edit(at: position, adding: 1), .removeFirst(position), .removeLast(position)]
      steps += [.insert(contentsOf: [Item(5, 0), Item(1, 1), Item(6, 2)], at: position)]
      steps += [.insert(Item(0, 12), at: position), .insert(Item(3, 13), at: position)]
      steps += [.set(at: position, Item(3, 14)), .set(at: position, Item(0, 15))]
      for other in 0..<4 {
        steps += [.swapAt(position, other), .move([position], to: other), .move([position, 0, position], to: other)]
        steps += [.remove(atOffsets: [position, other])]
        if position <= other { steps.append(.removeSubrange(position..<other)) }
      }
    }
    return steps
  }()

  private static func randomStep(_ random: inout SplitMix64) -> ArrayStep {
    let id = random.below(30)
    let value = random.below(10)
    let position = random.below(20)
    let other = random.below(20)
    let positions = (0..<random.below(6)).map { _ in random.below(20) }
    let items = positions.map { Item(($0 + id) % 30, value) }
    let steps: [ArrayStep] = [
      .append(Item(id, value)), .append(contentsOf: items), .updateOrAppend(Item(id, value)),
      .insert(Item(id, value), at: 0), .insert(Item(id, value), at: position),
      .insert(contentsOf: items, at: position), .insert(contentsOf: items, at: 0),
      .remove(id: id), .remove(ids: positions + [id]), .remove(at: position), .remove(atOffsets: positions),
      .removeSubrange(min(position, other)..<min(max(position, other), min(position, other) + 5)),
      .removeFirst, .removeLast, .popLast, .removeFirst(value), .removeLast(value),
      .removeAll(divisibleBy: 2 + value), .removeAll(throwingAt: id),
      .move(positions, to: other), .swapAt(position, other), .sort, .sortDescending, .sort(throwingAfter: id), .reverse,
      .shuffle(UInt64(id)), .filter(notDivisibleBy: 5 + value),
      .set(id: id, value), .set(id: id, nil), .edit(id: id, adding: value), .editAndThrow(id: id, value),
      .edit(at: position, adding: value), .set(at: position, Item(id, value)),
      .update(id: id, newID: other, value, throwing: value == 0),
    ]
    // Most steps add elements, so that the array has about twenty.
    return steps[random.below(3) == 0 ? random.below(7) : random.below(steps.count)]
  }

  /// A description of a read that does not match the model.
  private static func difference(_ array: IdentifiedArray<Item>, _ model: [Item]) -> String? {
    if array.count != model.count || array.isEmpty != model.isEmpty { return "the counts differ" }
    if Array(array) != model || array.map(\.self) != model { return "the elements differ" }
    if array.ids != model.map(\.id) { return "the IDs differ" }
    if array.first != model.first || array.last != model.last { return "the ends differ" }
    if Array(array.reversed()) != model.reversed() || array.sorted() != model.sorted() { return "the order differs" }
    if array[(model.count / 2)...] != model[(model.count / 2)...] { return "the slices differ" }
    if model.indices.contains(where: { array[$0] != model[$0] }) { return "the positions differ" }
    for id in 0..<30 {
      let position = model.position(id)
      if array.index(id: id) != position || array.contains(id: id) != (position != nil) { return "ID \(id) differs" }
      if array[id: id] != position.map({ model[$0] }) { return "the element with the ID \(id) differs" }
    }
    return nil
  }
}
