import ActorStoreOptimistic
import SeededRandom
import Testing

/// A value with changes that have no answer.
@Suite struct OptimisticTests {
  private var title = Optimistic("a")

  @Test mutating func aChangeShowsUntilItIsTakenBack() {
    #expect(title.current == "a" && !title.isPending)
    let change = title.apply("b")
    #expect(title.current == "b" && title.confirmed == "a" && title.isPending)
    title.takeBack(change)
    #expect(title == Optimistic("a") && !title.isPending)
  }

  @Test mutating func aConfirmedChangeStays() {
    let change = title.apply("b")
    title.confirm(change)
    #expect(title == Optimistic("b"))
  }

  @Test mutating func takingBackAChangeKeepsTheOthers() {
    let (first, second, third) = (title.apply("b"), title.apply("c"), title.apply("d"))
    #expect(first.number < second.number && second.number < third.number)
    title.takeBack(second)
    #expect(title.current == "d")
    title.takeBack(third)
    #expect(title.current == "b")
    title.takeBack(first)
    #expect(title.current == "a")
  }

  /// The answers arrive in reverse order.
  @Test(arguments: [false, true]) mutating func theNewestChangeWins(confirmsBoth: Bool) {
    let (old, new) = (title.apply("b"), title.apply("c"))
    title.confirm(new)
    #expect(title.current == "c" && title.confirmed == "c" && !title.isPending)
    if confirmsBoth { title.confirm(old) } else { title.takeBack(old) }
    #expect(title == Optimistic("c"))
  }

  @Test mutating func aSecondAnswerDoesNothing() {
    let change = title.apply("b")
    title.takeBack(change)
    let next = title.apply("c")
    #expect(next.number > change.number)
    title.confirm(change)
    title.takeBack(change)
    #expect(title.current == "c" && title.confirmed == "a")
    title.confirm(next)
    title.confirm(next)
    #expect(title == Optimistic("c"))
  }

  @Test func valuesMayBeOptional() {
    var name = Optimistic<String?>("a")
    let change = name.apply(nil)
    #expect(name.current == nil && name.isPending)
    name.confirm(change)
    #expect(name == Optimistic(nil))
  }

  // MARK: Random calls

  /// All changes without an answer, as the documentation describes them.
  private struct Model {
    var confirmed = 0
    var changes: [(change: Optimistic<Int>.Change, value: Int)] = []

    mutating func confirm(_ change: Optimistic<Int>.Change) {
      guard let index = changes.firstIndex(where: { $0.change == change }) else { return }
      confirmed = changes[index].value
      changes.removeFirst(index + 1)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func isLikeTheModel(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var (value, model) = (Optimistic(0), Model())
    var all: [Optimistic<Int>.Change] = []
    for step in 1...400 {
      switch random.below(4) {
      case 0, 1:
        let change = value.apply(step)
        all.append(change)
        model.changes.append((change, step))
      case 2 where !all.isEmpty:
        // Usually a change without an answer, sometimes an old one.
        let change = all[max(0, all.count - 1 - random.below(12))]
        value.takeBack(change)
        model.changes.removeAll { $0.change == change }
      default:
        guard !all.isEmpty else { continue }
        let change = all[max(0, all.count - 1 - random.below(12))]
        value.confirm(change)
        model.confirm(change)
      }
      #expect(value.current == model.changes.last?.value ?? model.confirmed)
      #expect(value.confirmed == model.confirmed && value.isPending == !model.changes.isEmpty)
    }
  }

  // MARK: Many changes

  enum Order: CaseIterable { case oldestFirst, newestFirst, random }

  /// With quadratic costs, this would take minutes.
  @Test(arguments: Order.allCases, [false, true])
  func manyChanges(_ order: Order, confirms: Bool) {
    var value = Optimistic(0)
    var changes = (1...100_000).map { value.apply($0) }
    var random = SplitMix64(1)
    switch order {
    case .oldestFirst: break
    case .newestFirst: changes.reverse()
    case .random: changes.shuffle(using: &random)
    }
    for change in changes { if confirms { value.confirm(change) } else { value.takeBack(change) } }
    #expect(value == Optimistic(confirms ? 100_000 : 0) && !value.isPending)
  }
}
