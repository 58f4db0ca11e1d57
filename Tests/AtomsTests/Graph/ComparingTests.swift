import SeededRandom
import Testing

@testable import Atoms

/// Compares the loop that only compares versions, and the fast path after a closure, with the general step (HP23 and
/// HP24 in docs/HotPath.md).
@Suite struct ComparingTests {
  /// A graph in which each derived node is half the sum of the nodes that it reads.
  private struct Sums {
    var logic = GraphStateMachine<Int>()
    var values: [Int] = []
    let reads: [[Int]]
    /// The numbers of steps that the loop may take at the newest revision, and at older ones.
    var (newSteps, oldSteps) = (0, 0)
    /// The number of closures that the fast path has found.
    var claims = 0

    init(_ random: inout SplitMix64) {
      let count = 4 + random.below(10)
      reads = (0..<count).map { node in
        node < 2 ? [] : (0...random.below(3)).map { _ in random.below(node) }
      }
      for node in reads.indices {
        values.append(0)
        _ = logic.add(isSource: node < 2)
      }
    }

    var sources: [Int] { Array(values[..<2]) }

    private static func id(_ node: Int) -> NodeID { NodeID(index: Int32(node)) }

    mutating func set(_ node: Int, to value: Int) {
      logic.advance()
      logic.replaceValue(of: Self.id(node), old: logic.mustKeep(Self.id(node)) ? values[node] : nil, new: nil)
      values[node] = value
    }

    /// The value that an evaluation sees.
    mutating func read(_ node: Int, _ evaluation: inout EvaluationStateMachine<Int>) -> Int {
      let base = evaluation.visits.count
      while true {
        if let found = logic.find(Self.id(node), for: evaluation) {
          evaluation.track(Self.id(node), found.stamp, isSource: node < 2, .unknown)
          if case .kept(_, let value) = found { return value }
          return values[node]
        }
        evaluation.visits.append(.init(node: Self.id(node)))
        while case .compute(let id, let isPrivate) = step(&evaluation, base) {
          run(Int(id.index), isPrivate: isPrivate, &evaluation)
          if !isPrivate { claimReader(of: id, evaluation, base) }
        }
      }
    }

    private mutating func run(_ node: Int, isPrivate: Bool, _ evaluation: inout EvaluationStateMachine<Int>) {
      evaluation.push(Self.id(node), isPrivate: isPrivate, run: 1)
      // Halving often gives an unchanged value.
      let new = reads[node].reduce(0) { $0 + read($1, &evaluation) } / 2
      if isPrivate {
        _ = logic.keep(new, &evaluation)
      } else {
        let isUnchanged = logic[Self.id(node)].version != 0 && values[node] == new
        let validity = logic.publish(&evaluation, isUnchanged: isUnchanged)
        #expect(validity == logic.validity(Self.id(node)))
        values[node] = new
      }
    }

    /// Takes a step, and compares it with the general step of a copy.
    private mutating func step(
      _ evaluation: inout EvaluationStateMachine<Int>, _ base: Int
    ) -> GraphStateMachine<Int>.Step {
      var (other, general) = (logic, evaluation)
      // The loop takes no step of an evaluation that brings dependencies up to date ahead of closures.
      general.ahead = [NodeID(index: 1_000)]
      let expected = other.step(&general, base: base)
      count(evaluation, base)
      let step = logic.step(&evaluation, base: base)
      #expect(step == expected && logic == other && evaluation.visits.map(\.node) == general.visits.map(\.node))
      return step
    }

    /// Takes the fast path in one copy, and compares it with the general step in another copy.
    private mutating func claimReader(of id: NodeID, _ evaluation: EvaluationStateMachine<Int>, _ base: Int) {
      var (logic, fast) = (logic, evaluation)
      if fast.visits.last?.node == id { fast.endVisit() }
      var (other, general) = (logic, fast)
      guard let reader = logic.claimReader(of: id, logic[id].version, &fast, base: base) else {
        return #expect(logic == other && fast == general)
      }
      claims += 1
      general.ahead = [NodeID(index: 1_000)]
      let step = other.step(&general, base: base)
      #expect(step == .compute(reader, isPrivate: false) && logic == other)
      #expect(fast.visits.map(\.node) == general.visits.map(\.node))
    }

    private mutating func count(_ evaluation: EvaluationStateMachine<Int>, _ base: Int) {
      guard evaluation.visits.count > base, let visit = evaluation.visits.last else { return }
      if !evaluation.seesOnlyStore || !logic[visit.node].canCompareOnly(at: evaluation.revision) { return }
      if evaluation.revision == logic.revision { newSteps += 1 } else if logic.keptCount == 0 { oldSteps += 1 }
    }

    /// The value of a node, computed from the sources.
    func value(_ node: Int, _ sources: [Int]) -> Int {
      var all = sources
      for node in 2..<reads.count { all.append(reads[node].reduce(0) { $0 + all[$1] } / 2) }
      return all[node]
    }
  }

  @Test func theLoopAndTheFastPathMatchTheGeneralStep() {
    var (newSteps, oldSteps, claims) = (0, 0, 0)
    for seed in 0..<60 as Range<UInt64> {
      let sums = compare(seed)
      newSteps += sums.newSteps
      oldSteps += sums.oldSteps
      claims += sums.claims
    }
    // The loop has taken many of the steps, and the fast path has found many closures.
    #expect(newSteps > 2_000 && oldSteps > 100 && claims > 500)
  }

  private func compare(_ seed: UInt64) -> Sums {
    var random = SplitMix64(seed)
    var sums = Sums(&random)
    for _ in 0..<60 {
      // Some evaluations begin before a source is set, so that they compute values for themselves.
      var old = random.below(4) == 0 ? sums.logic.begin() : nil
      let oldSources = sums.sources
      if random.below(4) == 0 { sums.logic.advance() } else { sums.set(random.below(2), to: random.below(8)) }
      if old == nil, random.below(3) == 0 { continue }
      var new = sums.logic.begin()
      // The order decides which of them publishes.
      if random.below(2) == 0 { read(&old, oldSources, &sums, &random) }
      for _ in 0..<2 {
        let node = random.below(sums.values.count)
        #expect(sums.read(node, &new) == sums.value(node, sums.sources))
      }
      read(&old, oldSources, &sums, &random)
      _ = sums.logic.end(new)
    }
    #expect(sums.logic.pins.isEmpty && sums.logic.keptCount == 0, "seed \(seed)")
    return sums
  }

  /// Reads in an evaluation that began earlier, and ends it.
  private func read(
    _ old: inout EvaluationStateMachine<Int>?, _ sources: [Int], _ sums: inout Sums, _ random: inout SplitMix64
  ) {
    guard var evaluation = old.take() else { return }
    let node = random.below(sums.values.count)
    #expect(sums.read(node, &evaluation) == sums.value(node, sources))
    _ = sums.logic.end(evaluation)
  }
}
