import SeededRandom
import Testing

@testable import Atoms

/// A graph in which each derived node is half the sum of the nodes that it reads, plus a number that an injection
/// changes.
///
/// Some closures also create a node, read it, and drop it immediately or later. Some nodes have runs.
struct ComparedGraph {
  /// The current values of sources, injected numbers, and results of runs.
  struct Model {
    var sources = [0, 0]
    var addends: [Int: Int] = [:]
    /// The results of runs whose sources have not changed since.
    var results: [Int: Int] = [:]
  }

  private enum Kind { case plain, dropping, run }

  var logic = GraphStateMachine<Int>()
  var model = Model()
  private var values: [Int] = []
  let reads: [[Int]]
  /// The kinds of the original nodes, which no closure has created.
  private let kinds: [Kind]
  /// For each node that a closure has created, the node that it reads.
  private var temporary: [Int: Int] = [:]
  /// The created nodes that have not been dropped.
  private var held: Set<Int> = []
  /// The injected numbers, with the revisions at which they begin.
  private var addends: [Int: [(from: Revision, addend: Int)]] = [:]
  private var random: SplitMix64
  /// The number of nested calls of `disturb`.
  private var depth = 0
  private static let loading = -1_000
  /// The numbers of steps that the loop may take at the newest revision, and at older ones.
  var (newSteps, oldSteps) = (0, 0)
  /// The number of closures that the fast path has found.
  var claims = 0

  init(_ random: inout SplitMix64) {
    let count = 4 + random.below(10)
    // A third of the graphs have only plain nodes. There, the loop takes most steps.
    let isPlain = random.below(3) == 0
    let kinds = (0..<count).map { node -> Kind in
      node < 2 || isPlain ? .plain : [.plain, .plain, .dropping, .run][random.below(4)]
    }
    self.kinds = kinds
    reads = (0..<count).map { node in
      // Runs read sources only.
      node < 2 ? [] : (0...random.below(3)).map { _ in random.below(kinds[node] == .run ? 2 : node) }
    }
    self.random = SplitMix64(random.next())
    for node in reads.indices {
      values.append(0)
      _ = logic.add(isSource: node < 2, isRun: kinds[node] == .run)
    }
  }

  private static func id(_ node: Int) -> NodeID { NodeID(index: Int32(node)) }

  private mutating func set(_ node: Int, to value: Int) {
    logic.advance()
    logic.replaceValue(of: Self.id(node), old: logic.mustKeep(Self.id(node)) ? values[node] : nil, new: nil)
    values[node] = value
    model.sources[node] = value
    for run in kinds.indices where kinds[run] == .run && reads[run].contains(node) { model.results[run] = nil }
  }

  /// Injects another closure into a derived node without runs.
  private mutating func inject(_ node: Int, _ addend: Int) {
    if node < 2 || kinds[node] == .run { return }
    logic.advance()
    logic.replaceFormula(of: Self.id(node), old: nil)
    addends[node, default: []].append((logic.revision, addend))
    model.addends[node] = addend
  }

  /// Drops some of the nodes that closures have created, even if other nodes depend on them.
  private mutating func dropNodes() {
    for node in held.sorted() where random.below(2) == 0 { drop(node) }
  }

  private mutating func drop(_ node: Int) {
    if held.remove(node) == nil { return }
    _ = logic.remove(Self.id(node))
  }

  /// Ends some of the runs that can end.
  private mutating func endRuns() {
    for node in kinds.indices where kinds[node] == .run && logic.canSet(Self.id(node)) && model.results[node] == nil {
      let id = Self.id(node)
      if random.below(2) == 0 { continue }
      var hasChanged = false
      for read in reads[node] {
        if logic.addRead(of: Self.id(read), logic[Self.id(read)].version, by: id) { hasChanged = true }
      }
      #expect(!hasChanged)
      logic.advance()
      logic.setResult(of: id, old: logic.mustKeep(id) ? values[node] : nil, until: nil, new: nil)
      logic.endFormerReads(of: id, isSuccess: true)
      let result = reads[node].reduce(0) { $0 + model.sources[$1] } / 2
      values[node] = result
      model.results[node] = result
    }
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
      steps: while true {
        switch step(&evaluation, base) {
        case .compute(let id, let isPrivate):
          run(Int(id.index), isPrivate: isPrivate, &evaluation)
          if !isPrivate { claimReader(of: id, evaluation, base) }
        case .keep(let id): logic.keepBeforeRevalidation(id, values[Int(id.index)])
        case .done, .cycle: break steps
        }
      }
    }
  }

  private mutating func run(_ node: Int, isPrivate: Bool, _ evaluation: inout EvaluationStateMachine<Int>) {
    evaluation.push(Self.id(node), isPrivate: isPrivate, run: 1)
    if node < kinds.count, kinds[node] == .run { return startRun(node, isPrivate: isPrivate, &evaluation) }
    let all = temporary[node].map { [$0] } ?? reads[node]
    disturb()
    // Halving often gives an unchanged value.
    var new = all.reduce(0) { $0 + read($1, &evaluation) } / 2
    disturb()
    if node < kinds.count {
      new += addends[node]?.last { $0.from <= evaluation.revision }?.addend ?? 0
      if kinds[node] == .dropping {
        let part = addTemporary(reading: node - 1)
        new += read(part, &evaluation)
        if random.below(2) == 0 { drop(part) }
      }
    }
    if !isPrivate {
      let isUnchanged = logic[Self.id(node)].version != 0 && values[node] == new
      if let validity = logic.publish(&evaluation, isUnchanged: isUnchanged) {
        #expect(validity == logic.validity(Self.id(node)))
        values[node] = new
        return
      }
    }
    _ = logic.keep(new, &evaluation)
  }

  /// Acts as another thread would while a closure runs.
  private mutating func disturb() {
    if depth == 2 || random.below(6) > 0 { return }
    depth += 1
    if random.below(3) == 0 { change() } else { dropNodes() }
    let model = model
    var evaluation = logic.begin()
    let node = random.below(reads.count)
    #expect(read(node, &evaluation) == value(node, model))
    _ = logic.end(evaluation)
    depth -= 1
  }

  /// Makes a random change.
  mutating func change() {
    switch random.below(8) {
    case 0, 1: logic.advance()
    case 2: inject(random.below(reads.count), random.below(3))
    default: set(random.below(2), to: random.below(8))
    }
    endRuns()
    dropNodes()
  }

  /// A node that a closure has created, if there is one.
  var anyTemporary: Int? { held.min() }

  private mutating func addTemporary(reading read: Int) -> Int {
    let node = Int(logic.add(isSource: false).index)
    if node == values.count { values.append(0) }
    values[node] = 0
    temporary[node] = read
    held.insert(node)
    return node
  }

  /// Starts a run, so that the value of the node is `loading`.
  private mutating func startRun(_ node: Int, isPrivate: Bool, _ evaluation: inout EvaluationStateMachine<Int>) {
    let id = Self.id(node)
    let isUnchanged = logic[id].version != 0 && values[node] == Self.loading
    let old = logic.mustKeep(id, until: logic[id].dirtyAt) ? values[node] : nil
    if isPrivate || !logic.publishRun(&evaluation, isUnchanged: isUnchanged, old: old) {
      _ = logic.keep(Self.loading, &evaluation)
    } else {
      values[node] = Self.loading
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

  /// The value of a node, computed from the values of a model.
  func value(_ node: Int, _ model: Model) -> Int {
    if let read = temporary[node] { return value(read, model) / 2 }
    var all = model.sources
    for node in 2..<reads.count {
      if kinds[node] == .run {
        all.append(model.results[node] ?? Self.loading)
        continue
      }
      let part = kinds[node] == .dropping ? all[node - 1] / 2 : 0
      all.append(reads[node].reduce(0) { $0 + all[$1] } / 2 + (model.addends[node] ?? 0) + part)
    }
    return all[node]
  }
}
