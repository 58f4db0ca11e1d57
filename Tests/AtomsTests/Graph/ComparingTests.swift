import SeededRandom
import Testing

@testable import Atoms

/// Compares the loop that only compares versions, and the fast path after a closure, with the general step (HP23 and
/// HP24 in docs/HotPath.md).
@Suite struct ComparingTests {
  @Test func theLoopAndTheFastPathMatchTheGeneralStep() {
    var (newSteps, oldSteps, claims) = (0, 0, 0)
    for seed in 0..<60 as Range<UInt64> {
      let graph = compare(seed)
      newSteps += graph.newSteps
      oldSteps += graph.oldSteps
      claims += graph.claims
    }
    // The loop has taken many of the steps, and the fast path has found many closures.
    #expect(newSteps > 2_000 && oldSteps > 100 && claims > 500)
  }

  private func compare(_ seed: UInt64) -> ComparedGraph {
    var random = SplitMix64(seed)
    var graph = ComparedGraph(&random)
    for _ in 0..<60 {
      // Some evaluations begin before a source is set, so that they compute values for themselves.
      var old = random.below(4) == 0 ? graph.logic.begin() : nil
      let oldModel = graph.model
      graph.change()
      if old == nil, random.below(3) == 0 { continue }
      var new = graph.logic.begin()
      let newModel = graph.model
      // The order decides which of them publishes.
      if random.below(2) == 0 { read(&old, oldModel, &graph, &random) }
      for _ in 0..<2 {
        let node = random.below(4) == 0 ? graph.anyTemporary ?? 0 : random.below(graph.reads.count)
        let expected = graph.value(node, newModel)
        #expect(graph.read(node, &new) == expected, "seed \(seed)")
      }
      read(&old, oldModel, &graph, &random)
      _ = graph.logic.end(new)
    }
    #expect(graph.logic.pins.isEmpty && graph.logic.keptCount == 0, "seed \(seed)")
    return graph
  }

  /// Reads in an evaluation that began earlier, and ends it.
  private func read(
    _ old: inout EvaluationStateMachine<Int>?, _ model: ComparedGraph.Model, _ graph: inout ComparedGraph,
    _ random: inout SplitMix64
  ) {
    guard var evaluation = old.take() else { return }
    let node = random.below(graph.reads.count)
    #expect(graph.read(node, &evaluation) == graph.value(node, model))
    _ = graph.logic.end(evaluation)
  }
}
