import ActorStoreTesting
import SeededRandom
import Testing

/// The search for a valid order of a history whose order is unknown.
@Suite struct SequentialModelTests {
  private typealias Counter = SequentialModel<Int, Int, Int>

  /// Adds the input, and returns the sum.
  private let counter = Counter(initial: 0) { value, amount in (value + amount, value + amount) }

  @Test func consecutiveCalls() throws {
    let right: [Counter.Call] = [
      .init(1, returning: 1, called: 0, returned: 1), .init(2, returning: 3, called: 2, returned: 3),
    ]
    #expect(try counter.violation(in: right) == nil)
    #expect(try counter.violation(in: []) == nil)
    let wrong: [Counter.Call] = [
      .init(1, returning: 3, called: 0, returned: 1), .init(2, returning: 2, called: 2, returned: 3),
    ]
    let violation = try #require(try counter.violation(in: wrong))
    #expect(violation.order == [])
    #expect(violation.state == 0)
    #expect(
      violation.description == """
        At the beginning, the state is 0, and no call can be next: call 0 returned 3, but the model returns 1; call 1 \
        was made after call 0 had returned
        """)
  }

  @Test func overlappingCallsMayTakeEffectInEitherOrder() throws {
    let history: [Counter.Call] = [
      .init(1, returning: 3, called: 0, returned: 5), .init(2, returning: 2, called: 1, returned: 3),
    ]
    #expect(try counter.violation(in: history) == nil)
  }

  @Test func lostUpdate() throws {
    let history: [Counter.Call] = [
      .init(1, returning: 1, called: 0, returned: 5), .init(1, returning: 1, called: 1, returned: 6),
      .init(0, returning: 1, called: 7, returned: 8),
    ]
    let violation = try #require(try counter.violation(in: history))
    #expect(violation.order.count == 1)
    #expect(violation.state == 1)
    #expect(violation.description.contains("returned 1, but the model returns 2"))
  }

  @Test func callThatDidNotReturnMayHaveTakenEffect() throws {
    func history(_ last: Int) -> [Counter.Call] {
      [
        .init(1, called: 0, returned: nil), .init(10, returning: 10, called: 1, returned: 2),
        .init(0, returning: last, called: 3, returned: 4),
      ]
    }
    #expect(try counter.violation(in: history(10)) == nil)
    #expect(try counter.violation(in: history(11)) == nil)
    #expect(try counter.violation(in: history(12)) != nil)
  }

  @Test func longestHistory() throws {
    // Eight calls at a time overlap, and only the last call has a known output, so the check must search for an order.
    func history(sum: Int) -> [Counter.Call] {
      (0..<63).map { .init(1, called: $0 / 8 * 10, returned: $0 / 8 * 10 + 5) }
        + [.init(0, returning: sum, called: 1_000, returned: 1_001)]
    }
    #expect(try counter.violation(in: history(sum: 63)) == nil)
    #expect(try counter.violation(in: history(sum: 62)) != nil)
    #expect(throws: Counter.TooManyCalls.self) { try counter.violation(in: history(sum: 1) + history(sum: 1)) }
  }

  @Test func nilOutputIsNotAnUnknownOutput() throws {
    typealias Slot = SequentialModel<Int?, Int, Int?>
    let slot = Slot(initial: nil) { old, new in (new, old) }
    #expect(try slot.violation(in: [.init(1, returning: nil, called: 0, returned: 1)]) == nil)
    let history: [Slot.Call] = [
      .init(1, called: 0, returned: 1), .init(2, returning: nil, called: 2, returned: 3),
    ]
    #expect(try slot.violation(in: history) != nil)
  }

  @Test func recordedHistory() throws {
    let recorder = CallRecorder<Int, Int>()
    let first = recorder.called(with: 1)
    let second = recorder.called(with: 2)
    recorder.returned(second, 2)
    recorder.returned(first, 3)
    _ = recorder.called(with: 5)
    let read = recorder.called(with: 0)
    recorder.returned(read, 8)
    #expect(try counter.violation(in: recorder.history()) == nil)
    let wrong = recorder.called(with: 0)
    recorder.returned(wrong, 3)
    #expect(try counter.violation(in: recorder.history()) != nil)
  }

  /// Compares the search with trying every permutation.
  @Test(arguments: 0..<200) func findsAnOrderIfOneExists(_ seed: UInt64) throws {
    var random = SplitMix64(seed)
    let calls = (0..<5).map { _ -> Counter.Call in
      let called = random.below(8)
      let returned = called + 1 + random.below(5)
      let input = random.below(3)
      return switch random.below(8) {
      case 0: .init(input, called: called, returned: nil)
      case 1: .init(input, called: called, returned: returned)
      default: .init(input, returning: random.below(6), called: called, returned: returned)
      }
    }
    #expect((try counter.violation(in: calls) == nil) == hasOrder(calls, Array(calls.indices), 0))
  }

  private func hasOrder(_ calls: [Counter.Call], _ open: [Int], _ value: Int) -> Bool {
    if open.allSatisfy({ calls[$0].returned == nil }) { return true }
    return open.contains { next in
      let call = calls[next]
      if open.contains(where: { calls[$0].returned.map { $0 < call.called } ?? false }) { return false }
      if let output = call.output, output != value + call.input { return false }
      return hasOrder(calls, open.filter { $0 != next }, value + call.input)
    }
  }
}
