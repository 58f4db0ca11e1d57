import Testing

@testable import ActorStoreTesting

@Suite struct MinimizerTests {
  @Test func keepsOnlyTheDecisionsThatMatter() {
    let decisions = (0..<60).map { $0 % 4 }
    var minimizer = Minimizer()
    let simplest = minimizer.minimize(decisions) { $0.count > 31 && $0[7] == 3 && $0[31] == 3 }
    #expect(simplest == (0..<32).map { $0 == 7 || $0 == 31 ? 3 : 0 })
  }

  /// A decision can become unnecessary because a later one has become zero.
  @Test func noSingleDecisionIsUnnecessary() {
    var minimizer = Minimizer()
    let simplest = minimizer.minimize([2, 2]) { $0 == [2, 2] || $0 == [2] || $0 == [0, 2] || $0 == [] }
    #expect(simplest == [])
  }

  @Test func unconditionalFailureNeedsNoDecision() {
    var minimizer = Minimizer()
    #expect(minimizer.minimize([1, 2, 3]) { _ in true } == [])
    #expect(minimizer.minimize([]) { _ in true } == [])
  }

  @Test func staysWithinItsBudget() {
    var minimizer = Minimizer(budget: 10)
    _ = minimizer.minimize(Array(repeating: 1, count: 1_000)) { _ in false }
    #expect(minimizer.tried == 10)
  }
}
