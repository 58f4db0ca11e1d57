import Atoms
import SeededRandom

@testable import ActorStore

/// Several tasks commit to a store, and watch random selections of it in every way (P11 to P16, A35).
///
/// When the store is closed, the values of each consumer must be those that follow from the committed states.
final class SelectionWorkload: Sendable {
  typealias Check = @Sendable (SheetHistory) async -> String?

  private struct Changing: Mutation {
    func run(_ sheet: inout Sheet) { sheet.change(0) }
  }

  private struct Refused: Mutation {
    func run(_ sheet: inout Sheet) { sheet.change(0) }
  }

  struct Refusing: Guard {
    func veto<A: Action<Sheet>>(_ action: A, state: Sheet) -> Veto? {
      action is Refused ? Veto("refused after \(Sheet.linger())") : nil
    }
  }

  let store: Store<Sheet>
  let atoms = AtomStore()
  private let seed: UInt64
  private let tasks: Int
  private let operations: Int
  private let checks = Locked<[Check]>([])
  /// What tasks hold until the end.
  private let kept = Locked<[any Sendable]>([])
  private let endedTasks = Locked(0)
  /// The version of a commit whose dispatch has returned.
  private let settled = Locked(0)

  init(on store: Store<Sheet>, seed: UInt64, tasks: Int = 4, operations: Int) {
    (self.store, self.seed, self.tasks, self.operations) = (store, seed, tasks, operations)
  }

  /// Runs the workload, and returns the problems that it has found.
  func run() async -> [String] {
    let states = store.states
    await withTaskGroup { group in
      for number in 0..<tasks { group.addTask { await self.runTask(number) } }
    }
    let sheets = await states.reduce(into: [Sheet]()) { $0.append($1) }
    // The remaining values are delivered.
    while store.observations.count > 0 { await Task.yield() }
    let history = SheetHistory(sheets)
    if let problem = history.problem { return [problem] }
    var problems: [String] = []
    for check in checks.withLock({ $0 }) {
      if let problem = await check(history) { problems.append(problem) }
    }
    return problems
  }

  func check(_ check: @escaping Check) { checks.withLock { $0.append(check) } }
  func keep(_ object: any Sendable) { kept.withLock { $0.append(object) } }

  /// The version of the committed state.
  var version: Int { get async { await store.state.version } }

  /// The oldest version that an atom can have.
  var settledVersion: Int { settled.withLock { $0 } }

  func settle(_ version: Int?) { settled.withLock { $0 = max($0, version ?? 0) } }

  /// Closes the store when the first task ends, or when the last one ends, depending on the seed.
  private func endTask() {
    let count = endedTasks.withLock { count in
      count += 1
      return count
    }
    if count == (seed.isMultiple(of: 2) ? tasks : 1) { store.close() }
  }

  private func runTask(_ number: Int) async {
    var random = SplitMix64(seed &* 1_000 &+ UInt64(number))
    await withTaskGroup { group in
      for _ in 0..<operations {
        let choice = Choice.all[random.below(Choice.all.count)]
        switch random.below(12) {
        case 0...4: await commit(&random)
        case 5...6: await stream(choice, &random, &group)
        case 7: await observe(choice, &random)
        case 8: await mirror(choice, &random)
        case 9: await atom(choice, &random)
        case 10: await derive(choice, Choice.all[random.below(Choice.all.count)], &random)
        default: await random.below(2) == 0 ? current(choice) : first(choice, &random)
        }
      }
      endTask()
    }
  }

  private struct Oops: Error {}

  private func commit(_ random: inout SplitMix64) async {
    let what = random.below(8)
    switch random.below(9) {
    case 0...2:
      settle(await store.dispatch { $0.changed(what) }.output)
    case 3:
      store.send { $0.change(what) }
    case 4:
      settle(
        await store.dispatch { (sheet: inout Sheet) async -> Int in
          await Task.yield()
          return sheet.changed(what)
        }.output)
    case 5:
      await store.dispatch(Refused())
    case 6:
      _ = try? await store.dispatch { (sheet: inout Sheet) throws(Oops) in
        sheet.change(what)
        throw Oops()
      }
    case 7:
      await store.transaction { (draft: inout Store<Sheet>.Transaction) throws(Veto) in
        try draft.run(Changing())
        try draft.run(Refused())
      }
    default:
      atoms.set(store.select(\.numbers).atom { $0.set($1) }, [what, 1, 2, 3])
    }
  }
}

extension Sheet {
  fileprivate mutating func changed(_ what: Int) -> Int {
    change(what)
    return version
  }

  fileprivate mutating func set(_ numbers: [Int]) {
    version += 1
    self.numbers = numbers
  }
}
