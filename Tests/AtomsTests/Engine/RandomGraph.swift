import ActorStore
import SeededRandom
import Synchronization

@testable import Atoms

/// A random graph whose derivations act as other threads would, in the middle of a computation.
///
/// Only the evaluation belongs to a thread. So a derivation can set its own aside, and then set, commit, and read atoms
/// on the same thread, including the one that is being computed. This is deterministic.
///
/// Every read must give exactly what a plain evaluation gives for the state in which the read began.
final class RandomGraph: @unchecked Sendable {
  // Safe: only the thread of the test uses it.

  /// A switch, one node for each side, the other nodes, and a modulus that makes equal results likely.
  private struct Plan {
    let condition: Int
    let sides: (Int, Int)
    let rest: [Int]
    let modulus: Int
  }

  /// What the plain formulas need to know.
  private struct State {
    var values: [Int]
    var injections: [Int: Injected] = [:]

    /// Sets a source, or what is injected into it.
    mutating func set(_ source: Int, _ value: Int) {
      if injections[source] == nil { values[source] = value } else { injections[source]?.top = value }
    }
  }

  /// A closure that adds a number to an earlier node, and the value that was set on top.
  private struct Injected {
    let base: Int
    let addend: Int
    var top: Int?
  }

  private let store: AtomStore
  private var random: SplitMix64
  private var sources: [Atom<Int>] = []
  private var derived: [DerivedAtom<Int>] = []
  private var plans: [Plan] = []
  private var uses: [UseAtomValue<Int>?] = []
  private var state = State(values: [])
  private var depth = 0
  /// The number of disturbances that are still allowed.
  private var budget = 0
  private(set) var reads = 0
  private(set) var problem: String?

  init(seed: UInt64, in store: AtomStore) {
    self.store = store
    random = SplitMix64(seed)
    state.values = (0..<2 + number(4)).map { _ in number(8) }
    sources = state.values.map { Atom($0, keepAlive: true) }
    for index in 0..<3 + number(20) {
      let before = sources.count + index
      plans.append(
        Plan(
          condition: number(before), sides: (number(before), number(before)),
          rest: (0..<number(3)).map { _ in number(before) }, modulus: [0, 2, 5][number(3)]))
      uses.append(nil)
      derived.append(
        DerivedAtom { [unowned self] in
          combine(index) { other in
            disturb()
            let value = value(other)
            disturb()
            return value
          }
        })
    }
  }

  private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private func combine(_ index: Int, _ read: (Int) -> Int) -> Int {
    let plan = plans[index]
    var result = read(plan.condition) % 2 == 0 ? read(plan.sides.0) : read(plan.sides.1)
    for other in plan.rest { result = result &* 31 &+ read(other) }
    return plan.modulus == 0 ? result : abs(result % plan.modulus)
  }

  private func value(_ node: Int) -> Int {
    node < sources.count ? sources[node].value : derived[node - sources.count].value
  }

  private func read(_ node: Int) -> Int {
    node < sources.count ? store.get(sources[node]) : store.get(derived[node - sources.count])
  }

  /// The value that the plain formulas give.
  private func plain(_ node: Int, _ state: State) -> Int {
    var known: [Int: Int] = [:]
    func value(_ node: Int) -> Int {
      if let injected = state.injections[node] { return injected.top ?? value(injected.base) + injected.addend }
      if node < sources.count { return state.values[node] }
      if let known = known[node] { return known }
      let result = combine(node - sources.count, value)
      known[node] = result
      return result
    }
    return value(node)
  }

  private func expect(_ seen: Int, _ right: Int, _ what: String) {
    if seen != right, problem == nil { problem = "\(what): \(seen), not \(right)" }
  }

  private func disturb() {
    guard budget > 0, depth < 3, number(4) == 0 else { return }
    budget -= 1
    depth += 1
    Evaluation.setAside { for _ in 0...number(3) { act() } }
    depth -= 1
  }

  private func act() {
    switch number(7) {
    case 0, 1:
      let (index, value) = (number(sources.count), number(8))
      state.set(index, value)
      store.set(sources[index], value)
    case 2:
      transact()
    case 3:
      if number(2) == 0 { inject() }
    case 4:
      use()
    default:
      let node = number(sources.count + derived.count)
      let right = plain(node, state)
      reads += 1
      expect(read(node), right, "a read")
    }
  }

  /// Begins or ends a use of a derived node, whose value goes with the last use.
  private func use() {
    let index = number(derived.count)
    // The release may run other code, so it is no access to the array.
    let former = uses[index]
    uses[index] = former == nil ? store.callAsCurrent { UseAtomValue(derived[index]) } : nil
    withExtendedLifetime(former) {}
  }

  /// Injects a node, or resets it or removes the injection if it is injected.
  private func inject() {
    let node = 1 + number(sources.count + derived.count - 1)
    deliverLeftovers()
    if state.injections[node] == nil || number(3) == 0 {
      let (base, addend) = (number(node), number(3))
      state.injections[node] = Injected(base: base, addend: addend)
      if node < sources.count {
        store.inject(sources[node]) { [unowned self] in value(base) + addend }
      } else {
        store.inject(derived[node - sources.count]) { [unowned self] in value(base) + addend }
      }
    } else if node < sources.count, number(2) == 0 {
      state.injections[node]?.top = nil
      store.reset(sources[node])
    } else {
      state.injections[node] = nil
      if node < sources.count {
        store.removeInjection(of: sources[node])
      } else {
        store.removeInjection(of: derived[node - sources.count])
      }
    }
  }

  /// Delivers the leftovers of other evaluations.
  ///
  /// Otherwise, an injection would deliver them before it takes effect.
  private func deliverLeftovers() {
    while store.core.state.withLock({ !$0.logic.deliveries.isEmpty && !$0.logic.deliveries.isDelivering }) {
      let value = number(8)
      state.set(0, value)
      store.set(sources[0], value)
    }
  }

  private func transact() {
    // Disturbances inside would make the expected state another one.
    let outer = depth
    depth = 3
    var expected = state
    store.transaction { step(&expected) }
    depth = outer
    state = expected
  }

  /// Sets and reads in a transaction, and in nested ones, some of which throw.
  private func step(_ expected: inout State, nesting: Int = 0) {
    for _ in 0...number(4) {
      switch number(4) {
      case 0, 1:
        let (index, value) = (number(sources.count), number(8))
        expected.set(index, value)
        store.set(sources[index], value)
      case 2 where nesting < 2:
        let former = expected
        do {
          try store.transaction {
            step(&expected, nesting: nesting + 1)
            if number(2) == 0 { throw Stop() }
          }
        } catch {
          expected = former
        }
      default:
        let node = number(sources.count + derived.count)
        let right = plain(node, expected)
        expect(read(node), right, "a read in a transaction")
      }
    }
  }

  /// Runs random calls, and returns the first problem.
  func run(steps: Int = 60) -> String? {
    let watched = derived[number(derived.count)]
    let node = sources.count + (derived.firstIndex { $0.definition === watched.definition } ?? 0)
    let (jobs, delivered) = (HeldJobs(), Recorder<Int>())
    let observation = store.observe(watched) { delivered.add($0) }
    // The task that delivers what others have left runs on this thread, too, after the calls.
    Task(executorPreference: jobs) { [self] in
      for _ in 0..<steps {
        budget = 8
        act()
      }
      budget = 0
      state.set(0, 100)
      store.set(sources[0], 100)
    }
    jobs.run()
    let all = delivered.all
    if zip(all, all.dropFirst()).contains(where: ==) { problem = problem ?? "a repeat was delivered" }
    expect(all.last ?? -1, plain(node, state), "the last delivery")
    let left = store.diagnostics
    if left.isPinned || left.kept != 0 { problem = problem ?? "something is left behind: \(left)" }
    observation.cancel()
    return problem
  }
}
