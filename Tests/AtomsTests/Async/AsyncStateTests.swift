import Testing

@testable import Atoms

@Suite struct AsyncStateTests {
  private struct Numbered: Error, Equatable {
    let number: Int
  }

  private struct Described: Error, CustomStringConvertible {
    let description: String
  }

  private struct Opaque: Sendable {}

  @Test func mapChangesOnlyASuccess() {
    #expect(AsyncState.success(2).map { $0 * 3 } == .success(6))
    #expect(AsyncState<Int>.loading.map { "\($0)" } == .loading)
    #expect(AsyncState<Int>.failure(Numbered(number: 1)).map { "\($0)" } == .failure(Numbered(number: 1)))
  }

  @Test func mapThrowsTheErrorOfItsClosure() {
    #expect(throws: Numbered(number: 2)) {
      try AsyncState.success(2).map { number throws(Numbered) -> Int in throw Numbered(number: number) }
    }
  }

  @Test func eachStateHasItsParts() {
    #expect(AsyncState.success(2).value == 2 && !AsyncState.success(2).loading)
    #expect(AsyncState<Int>.loading.value == nil && AsyncState<Int>.loading.loading)
    #expect(AsyncState<Opaque>.failure(Numbered(number: 1)).failure as? Numbered == Numbered(number: 1))
    #expect(AsyncState<Opaque>.loading.failure == nil && AsyncState.success(Opaque()).failure == nil)
  }

  /// Errors that are not `Equatable` are equal if they have the same type and text.
  @Test func aStateEqualsOnlyItself() {
    let errors: [any Error] = [
      Numbered(number: 1), Numbered(number: 2), Described(description: "a"), Described(description: "b"),
    ]
    let states = [AsyncState<Int>.loading, .success(1), .success(2)] + errors.map { AsyncState.failure($0) }
    for (index, one) in states.enumerated() {
      for (other, another) in states.enumerated() { #expect((one == another) == (index == other)) }
    }
  }
}
