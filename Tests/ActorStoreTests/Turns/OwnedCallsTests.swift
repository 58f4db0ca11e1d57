import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Scopes of an action that begin, make calls, and end, against a model that keeps the path of each call.
@Suite struct OwnedCallsTests {
  private struct Model {
    struct Call { let number: Int; let path: [UInt64] }
    var calls = OwnedCalls<Int>()
    var expected: [Call] = []
    var failed: Set<UInt64> = []
    var open: [UInt64] = []
    /// The paths of all scopes that have begun, from the outermost to the innermost scope.
    var paths: [UInt64: [UInt64]] = [0: []]
    var last: UInt64 = 0
    var made = 0

    mutating func begin(skipping: UInt64 = 0) {
      last += 1 + skipping
      open.append(last)
      paths[last] = open
    }

    /// Makes a call in the innermost scope, or a late one in any scope so far.
    mutating func call(in scope: UInt64) {
      made += 1
      let path = paths[scope, default: []]
      let isRefused = path.contains { failed.contains($0) }
      #expect(calls.add(made, in: scope) == !isRefused)
      if !isRefused { expected.append(Call(number: made, path: path)) }
    }

    mutating func end(failing: Bool) {
      let scope = open.removeLast()
      if !failing { return }
      failed.insert(scope)
      #expect(calls.fail(scope, through: last) == expected.filter { $0.path.contains(scope) }.map(\.number))
      expected.removeAll { $0.path.contains(scope) }
    }

    func check() { #expect(calls.inOrder == expected.map(\.number)) }
  }

  /// Every sequence of eight steps.
  @Test func everyShortSequence() {
    func explore(_ model: Model, _ steps: Int) {
      model.check()
      if steps == 0 { return }
      func with(_ change: (inout Model) -> Void) {
        var next = model
        change(&next)
        explore(next, steps - 1)
      }
      if model.open.count < 3 { with { $0.begin() } }
      with { $0.call(in: $0.open.last ?? 0) }
      if let oldest = model.paths.keys.filter({ $0 > 0 }).min() { with { $0.call(in: oldest) } }
      if !model.open.isEmpty {
        with { $0.end(failing: false) }
        with { $0.end(failing: true) }
      }
    }
    explore(Model(), 7)
  }

  @Test(arguments: 0..<TestSize.count(50, few: 20))
  func longRandomSequences(seed: Int) {
    var random = SplitMix64(UInt64(seed))
    var model = Model()
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: model.begin(skipping: UInt64.random(in: 0..<3, using: &random))
      case 3..<6: model.call(in: model.open.last ?? 0)
      case 6: model.call(in: model.paths.keys.sorted().randomElement(using: &random) ?? 0)
      default: if !model.open.isEmpty { model.end(failing: Bool.random(using: &random)) }
      }
      model.check()
    }
  }

  /// Many failed attempts of one action take no memory.
  @Test func successiveFailuresShareARange() {
    var calls = OwnedCalls<Int>()
    for scope: UInt64 in 1...1_000 { #expect(calls.fail(scope, through: scope) == []) }
    var one = OwnedCalls<Int>()
    #expect(one.fail(1, through: 1_000) == [])
    #expect(calls == one)
  }
}
