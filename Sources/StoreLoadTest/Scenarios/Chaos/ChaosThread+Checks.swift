import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  /// Reads the inputs and some derived atoms in a snapshot, and computes everything again without atoms.
  mutating func check(in store: AtomStore, _ known: Known, isQuiet: Bool = false) {
    let isOther = store != self.store
    let (first, order) = (random.below(graph.derived.count), random.below(2))
    let problems = store.snapshot { () -> [String] in
      var problems = [problem(from: first, isQuiet ? graph.derived.count : 6, order, known, isOther: isOther)]
      problems.append(problemOfSums(known, isOther: isOther))
      problems.append(problemOfItems())
      if !isOther { problems += graph.loads.map { $0.problem(isFinished: isQuiet) } }
      return problems.compactMap(\.self)
    }
    for problem in problems { expectNone(problem) }
  }

  /// Compares derived values with the formulas, within a snapshot or a transaction.
  func problem(from first: Int, _ count: Int, _ order: Int, _ known: Known, isOther: Bool = false) -> String? {
    var derived = [Int?](repeating: nil, count: graph.derived.count)
    func readDerived() {
      for node in first..<first + count {
        let node = node % graph.derived.count
        derived[node] = graph.derived[node].value
      }
      for node in derived.indices where graph.plan.isInjectable(node) { derived[node] = graph.derived[node].value }
    }
    if order == 0 { readDerived() }
    let inputs = graph.readInputs()
    if order == 1 { readDerived() }
    let wrong = graph.plan.problem(inputs: inputs, derived: derived) { node in
      if isOther { return false }
      // Each node is injected by one thread.
      return node / 8 % graph.threads == index ? known.injected.contains(node) : nil
    }
    if let wrong { return "\(wrong) from the inputs \(inputs)" }
    let own = graph.own[index].map(\.value)
    if own != known.own { return "own atoms: expected \(known.own), saw \(own)" }
    let willSet = known.willSet.map { ChaosGraph.transformed($0, graph.shared[0].value) } ?? -1
    let seen = graph.willSets[index].value
    return seen == willSet ? nil : "WillSetAtom: expected \(willSet), saw \(seen)"
  }

  /// Returns what is wrong with the sums that stay constant, or that setters keep.
  private func problemOfSums(_ known: Known, isOther: Bool) -> String? {
    let accounts = graph.accounts.map(\.value)
    if accounts.reduce(0, +) != ChaosGraph.balance * accounts.count { return "amounts were lost: \(accounts)" }
    let (count, twice) = (graph.bankCount.value, graph.bankTwice.value)
    if twice != 2 * count { return "two commits are mixed: \(count) and \(twice)" }
    if isOther { return nil }
    for (thread, balance) in graph.balanced.enumerated() {
      let (sum, target, twice) = (balance.sum.value, balance.target.value, balance.twice.value)
      if sum != target || twice != 2 * sum {
        return "GetSetAtom of thread \(thread): set to \(target), saw \(sum), and twice \(twice)"
      }
      if thread == index, let expected = known.sum, sum != expected {
        return "own GetSetAtom: expected \(expected), saw \(sum)"
      }
    }
    return nil
  }

  private func problemOfItems() -> String? {
    let (items, ids) = (graph.items.value, graph.itemAtoms.ids.value)
    if items.map(\.id) != ids { return "IDs: expected \(items.map(\.id)), saw \(ids)" }
    let id = number % 12
    let (seen, item) = (graph.itemAtoms(id).value, items.first { $0.id == id })
    return seen == item ? nil : "element \(id): expected \(String(describing: item)), saw \(String(describing: seen))"
  }
}
