import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  private struct Failed: Error {}

  /// Sets and reads in a transaction, which can run more than once.
  mutating func transact(fails: Bool, isNested: Bool) {
    let seed = random.next()
    var (final, problems) = (known, [String?]())
    do {
      try store.transaction {
        // A repeat must do the same.
        var (random, known) = (SplitMix64(seed), self.known)
        problems += step(&random, &known)
        if isNested {
          let before = known
          do {
            try store.transaction {
              problems += step(&random, &known)
              if random.below(2) == 0 { throw Failed() }
            }
          } catch {
            known = before
          }
          problems += step(&random, &known)
        }
        final = known
        if fails { throw Failed() }
      }
      for (slot, value) in final.own.enumerated() { setsOwn(slot, value) }
      known = final
    } catch {}
    for problem in problems { expectNone(problem.map { "in a transaction: \($0)" }) }
    expect("own atoms after a transaction", graph.own[index].map(\.value), known.own)
  }

  /// Sets a few atoms, and compares derived values with the formulas.
  private func step(_ random: inout SplitMix64, _ known: inout Known) -> [String?] {
    for _ in 0..<1 + random.below(3) {
      switch random.below(4) {
      case 0, 1:
        let (slot, value) = (random.below(known.own.count), random.below(100))
        graph.own[index][slot].value = value
        known.own[slot] = value
      case 2:
        graph.shared[random.below(graph.shared.count)].value = random.below(100)
      default:
        known.willSet = random.below(100)
        graph.willSets[index].value = known.willSet ?? 0
      }
    }
    return [problem(from: random.below(graph.derived.count), 3, random.below(2), known)]
  }

  /// Moves an amount between two accounts.
  mutating func transfer() {
    let (from, to, amount) = (
      graph.accounts[random.below(graph.accounts.count)], graph.accounts[random.below(graph.accounts.count)],
      random.below(10)
    )
    store.transaction {
      from.value -= amount
      to.update { $0 += amount }
    }
  }
}
