import Testing

@testable import ActorStoreTesting

@Suite struct MinimizerTests {
  @Test func keepsOnlyTheDecisionsThatMatter() {
    let decisions = (0..<60).map { $0 % 4 }
    var minimiser = Minimizer()
    let simplest = minimiser.minimise(decisions) { $0.count > 31 && $0[7] == 3 && $0[31] == 3 }
    #expect(simplest == (0..<32).map { $0 == 7 || $0 == 31 ? 3 : 0 })
  }

  @Test func unconditionalFailureNeedsNoDecision() {
    var minimiser = Minimizer()
    #expect(minimiser.minimise([1, 2, 3]) { _ in true } == [])
    #expect(minimiser.minimise([]) { _ in true } == [])
  }

  @Test func staysWithinItsBudget() {
    var minimiser = Minimizer(budget: 10)
    _ = minimiser.minimise(Array(repeating: 1, count: 1_000)) { _ in false }
    #expect(minimiser.tried == 10)
  }
}
