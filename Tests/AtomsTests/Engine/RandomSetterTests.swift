import SeededRandom
import TestSize
import Testing

@testable import Atoms

/// Random setters beside a plain list of what they have seen (A21).
@Suite struct RandomSetterTests {
  /// An atom whose setter adds a source to the value, and stores the sum in a later source.
  private struct Setter {
    let atom: GetSetAtom<Int>
    let read: Int
    let target: Int
  }

  /// A setter that has run.
  private struct Applied {
    let setter: Int
    let value: Int
    var seen: Int
  }

  private struct Model {
    var values: [Int]
    var applied: [Applied] = []
  }

  private final class Run {
    let store = AtomStore()
    var random: SplitMix64
    let sources: [Atom<Int>]
    var setters: [Setter] = []
    var model: Model
    var problem: String?

    init(_ seed: UInt64) {
      random = SplitMix64(seed)
      let sources = (0..<5).map { Atom($0) }
      self.sources = sources
      model = Model(values: Array(0..<5))
      for _ in 0..<4 {
        let target = 1 + number(4)
        let read = number(target)
        let copy = DerivedAtom { sources[read].value / 2 }
        let isDerived = number(2) == 0
        let atom = GetSetAtom {
          sources[target].value
        } set: {
          sources[target].value = $0 + (isDerived ? copy.value * 2 : sources[read].value)
        }
        setters.append(Setter(atom: atom, read: isDerived ? -1 - read : read, target: target))
      }
    }

    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    func step() {
      act()
      settle()
    }

    private func seen(_ setter: Setter) -> Int {
      setter.read >= 0 ? model.values[setter.read] : model.values[-1 - setter.read] / 2 * 2
    }

    private func act() {
      switch number(5) {
      case 0:
        let (index, value) = (number(5), number(20))
        store.set(sources[index], value)
        model.values[index] = value
      case 1:
        let (index, value) = (number(4), number(20))
        store.set(setters[index].atom, value)
        settle()
        apply(index, value)
      case 2:
        let index = number(4)
        store.reset(setters[index].atom)
        model.applied.removeAll { $0.setter == index }
      case 3:
        let index = number(5)
        let value = store.get(sources[index])
        settle()
        if value != model.values[index] { problem = problem ?? "a read of \(index): \(value), not \(model.values)" }
      default:
        store.transaction { for _ in 0...number(3) { act() } }
        return
      }
    }

    private func apply(_ index: Int, _ value: Int) {
      let setter = setters[index]
      model.values[setter.target] = value + seen(setter)
      model.applied.removeAll { $0.setter == index }
      model.applied.append(Applied(setter: index, value: value, seen: seen(setter)))
    }

    /// Runs the setters again, which happens before a read, before the set of an atom with a setter, and at the end of a
    /// transaction.
    private func settle() {
      var hasRun = true
      while hasRun {
        hasRun = false
        for index in model.applied.indices {
          let setter = setters[model.applied[index].setter]
          if seen(setter) == model.applied[index].seen { continue }
          model.values[setter.target] = model.applied[index].value + seen(setter)
          model.applied[index].seen = seen(setter)
          hasRun = true
        }
      }
    }
  }

  @Test func a21_settersRunAgainExactlyWhenTheyMust() {
    for seed in 1...UInt64(TestSize.count(400, few: 100)) {
      let run = Run(seed)
      for step in 0..<40 {
        run.step()
        let values = run.sources.map { run.store.get($0) }
        if values != run.model.values || run.problem != nil {
          Issue.record("seed \(seed), step \(step): \(values), not \(run.model.values), \(run.problem ?? "")")
          return
        }
      }
    }
  }
}
