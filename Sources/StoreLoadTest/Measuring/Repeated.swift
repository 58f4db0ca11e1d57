import ActorStore
import Atoms

/// An operation to repeat, for tools that count instructions.
///
/// All tasks run on one thread, one at a time, in the order in which they become ready. So the counts hardly vary.
enum Repeated: String, CaseIterable, Sendable {
  /// An uncontended dispatch of a mutation.
  case dispatch
  /// An uncontended dispatch of a mutation to a store with a watchdog.
  case watched
  /// An uncontended dispatch of an asynchronous action.
  case action
  /// An uncontended dispatch of a closure.
  case closure
  /// A mutation sent to an idle store.
  case send
  /// An uncontended transaction of two mutations, with a body that does not suspend.
  case transaction
  /// The same transaction with an asynchronous body.
  case asyncTransaction = "async-transaction"
  /// An uncontended dispatch of a mutation in a store with a synchronous middleware that does nothing.
  case middleware
  /// A group whose body does nothing.
  case group
  /// A commit that wakes one parked subscriber, until the subscriber parks again.
  case commit
  /// Setting an atom that nothing depends on.
  case atomSet = "atom-set"
  /// Setting an atom, and reading one that is derived from it.
  case atomDerived = "atom-derived"
  /// Updating one atom in a chain, by setting the source and reading the last atom.
  case atomChain = "atom-chain"
  /// Updating one atom in a stack of diamonds, by setting the source and reading the last atom.
  case atomDiamonds = "atom-diamonds"
  /// Reading one of many atoms that are derived from the same source, after setting the source.
  case atomFan = "atom-fan"
  /// Setting an atom, and calling the closure that watches one derived from it.
  case atomWatched = "atom-watched"
  /// Creating, reading, and dropping a wrapper of a derived atom, which releases the atom's value.
  case atomUse = "atom-use"
  /// A run of one of many asynchronous atoms that read the same source, from setting the source to getting the result.
  case atomRun = "atom-run"

  func run(_ count: Int) {
    OneThread.run {
      switch self {
      case .dispatch:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch(Increment(task: 0)) }
      case .watched:
        let watchdog = TurnWatchdog(limit: .seconds(3_600))
        let store = Store(Counter(), guards: [watchdog.makeGuard()])
        for _ in 0..<count { await store.dispatch(Increment(task: 0)) }
      case .action:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch(IncrementLater(task: 0)) }
      case .closure:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch { $0.count &+= 1 } }
      case .send:
        let store = Store(Counter())
        for _ in 0..<count { store.send(Increment(task: 0)) }
      case .transaction:
        let store = Store(Counter())
        for _ in 0..<count {
          await store.transaction { transaction throws(Veto) in
            try transaction.run(Increment(task: 0))
            try transaction.run(Increment(task: 1))
          }
        }
      case .asyncTransaction:
        let store = Store(Counter())
        for _ in 0..<count {
          await store.transaction { transaction async throws(Veto) in
            try await transaction.run(Increment(task: 0))
            try await transaction.run(Increment(task: 1))
          }
        }
      case .middleware:
        let store = Store(Counter(), middleware: [PassingMiddleware()])
        for _ in 0..<count { await store.dispatch(Increment(task: 0)) }
      case .group:
        let store = Store(Counter())
        for _ in 0..<count { await store.dispatch(EmptyGroup()) }
      case .commit:
        await Self.commit(count)
      case .atomSet, .atomDerived, .atomWatched:
        setAtom(count)
      case .atomChain:
        Self.update(.chain(Self.graphSize - 1), count)
      case .atomDiamonds:
        Self.update(.diamonds(Self.graphSize / 3), count)
      case .atomFan:
        Self.updateFan(count)
      case .atomUse:
        Self.useAtom(count)
      case .atomRun:
        await Self.runAtoms(count)
      }
    }
  }

  /// Sets an atom, apart from the asynchronous function, whose code would change with it.
  @inline(never)
  private func setAtom(_ count: Int) {
    let atom = Atom(-1)
    let derived = DerivedAtom { atom.value &+ 1 }
    let token = self == .atomWatched ? derived.observe { keep($0) } : nil
    for step in 0..<count {
      atom.value = step
      if self == .atomDerived { keep(derived.value) }
    }
    token?.cancel()
  }

  private static let graphSize = 100

  @inline(never)
  private static func update(_ network: AtomNetwork, _ count: Int) {
    for step in 0..<count / network.count {
      network.head.value = step
      keep(network.top.value)
    }
  }

  @inline(never)
  private static func updateFan(_ count: Int) {
    let fan = AtomFan(graphSize)
    for step in 0..<count / graphSize { fan.update(step) }
  }

  @inline(never)
  private static func useAtom(_ count: Int) {
    let atom = Atom(0)
    let derived = DerivedAtom { atom.value &+ 1 }
    for _ in 0..<count {
      @UseAtomValue(derived) var value
      keep(value)
    }
  }

  private static func runAtoms(_ count: Int) async {
    let source = Atom(0)
    let atoms = (0..<graphSize).map { index in AsyncAtom(keepAlive: true) { source.value &+ index } }
    for step in 0..<count / graphSize {
      source.value = step
      AtomStore.shared.snapshot { for atom in atoms { keep(atom.value) } }
      for atom in atoms { keep(try? await atom.result) }
    }
  }

  private struct EmptyGroup: ActionGroup {
    func run(with store: Store<Counter>) async {}
  }

  private static func commit(_ count: Int) async {
    let store = Store(Counter())
    let states = store.states
    async let seen: Int = {
      var seen = 0
      for await _ in states { seen += 1 }
      return seen
    }()
    // The subscriber takes the initial state, and parks.
    await Task.yield()
    for _ in 0..<count {
      await store.dispatch(Increment(task: 0))
      await Task.yield()
    }
    store.close()
    let total = await seen
    precondition(total == count + 1, "StoreLoadTest: the subscriber did not receive each state once")
  }
}
