import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import Testing

/// A complete search shows what real threads show, within the limits in "Finding the schedule that breaks it".
@Suite struct CompleteSearchTests {
  /// Returns the results of a body under every schedule.
  private func results<Result: Hashable & Sendable>(
    maxPreemptions: Int? = nil, timers: Simulation.Timers = .race(upTo: 1),
    _ body: @escaping @Sendable () async -> Result
  ) throws -> Set<Result> {
    let seen = Witness<Result>()
    let search = try Simulation.explore(.exhaustive(maxPreemptions: maxPreemptions), timers: timers) {
      seen.saw(await body())
    }
    #expect(search.isComplete)
    return Set(seen.all)
  }

  /// The order of what tasks do in their own code.
  private final class Order: Sendable {
    private let text = Mutex("")

    func add(_ part: String) { text.withLock { $0 += part } }

    var all: String { text.withLock { $0 } }
  }

  /// Memory that tasks share without the library.
  private final class Memory: Sendable {
    private let atomic = Atomic(0)

    var value: Int {
      get { atomic.load(ordering: .acquiring) }
      set { atomic.store(newValue, ordering: .releasing) }
    }
  }

  // MARK: Creating a task

  enum Creation: CaseIterable { case addTask, asyncLet, unstructured, group }

  private struct Adds: ActionGroup {
    let order: Order
    func run(with store: Store<Int>) async { order.add("child ") }
  }

  @Test(arguments: Creation.allCases) func aNewTaskCanOvertakeItsCreator(_ creation: Creation) throws {
    let orders = try results { () -> String in
      let order = Order()
      switch creation {
      case .addTask:
        await withTaskGroup { group in
          group.addTask { order.add("child ") }
          order.add("parent ")
        }
      case .asyncLet:
        async let child: Void = order.add("child ")
        order.add("parent ")
        await child
      case .unstructured:
        let child = Task.inheritingExecutor { order.add("child ") }
        order.add("parent ")
        await child.value
      case .group:
        let ticket = Store(0).send(Adds(order: order))
        order.add("parent ")
        _ = await ticket.outcome
      }
      return order.all
    }
    #expect(orders == ["child parent ", "parent child "])
  }

  @Test func aTaskCanCommitBeforeItsCreatorCancelsIt() throws {
    let outcomes = try results {
      let store = Store(0)
      return await withTaskGroup(of: String.self) { group in
        group.addTask { "\(await store.dispatch { $0 += 1 })" }
        group.cancelAll()
        return await group.next() ?? ""
      }
    }
    #expect(outcomes.contains("cancelled") && outcomes.contains { $0.hasPrefix("committed") }, "\(outcomes)")
  }

  @Test func aTaskThatAnActionStartsCanDispatchBeforeItsEnd() throws {
    let outcomes = try results(maxPreemptions: 1) {
      let (store, result) = (Store(0), Store(""))
      await store.dispatch { _ async in
        Task.inheritingExecutor {
          let outcome = await store.dispatch { $0 += 1 }
          await result.dispatch { $0 = "\(outcome)" }
        }
      }
      return (try? await result.select().first { !$0.isEmpty }) ?? ""
    }
    #expect(outcomes.contains("deferred") && outcomes.contains { $0.hasPrefix("committed") }, "\(outcomes)")
  }

  // MARK: Inside a commit

  /// Reads two values during a commit, and returns them.
  private func race(
    _ body: @escaping @Sendable () -> (Store<Int>, first: @Sendable () -> Int, second: @Sendable () -> Int)
  ) throws -> Set<[Int]> {
    try results {
      let (store, first, second) = body()
      async let commit = store.dispatch { $0 = 1 }
      let seen = [first(), second()]
      _ = await commit
      return seen
    }
  }

  @Test func storesOfAtomsGetACommitOneAfterAnother() throws {
    let seen = try race {
      let (store, atoms, others) = (Store(0), AtomStore(), AtomStore())
      let atom = store.select(\.self).atom
      _ = (atoms.get(atom), others.get(atom))
      return (store, { atoms.get(atom) }, { others.get(atom) })
    }
    #expect(seen == [[0, 0], [0, 1], [1, 0], [1, 1]])
  }

  // MARK: Cancellation

  @Test func aTaskCanRunAfterATicketIsCanceled() throws {
    let orders = try results {
      let (store, order) = (Store(0), Order())
      let ticket = store.send { (_: inout Int) async in }
      async let other: Void = {
        _ = await ticket.outcome
        order.add("outcome ")
      }()
      ticket.cancel()
      order.add("canceled ")
      await other
      return order.all
    }
    #expect(orders == ["outcome canceled ", "canceled outcome "])
  }

  @Test func anActionCanBeCanceledBeforeItsFirstStatement() throws {
    let seen = try results {
      let (store, canceled) = (Store(0), Witness<Bool>())
      let task = Task.inheritingExecutor {
        await store.dispatch { (_: inout Int) async in canceled.saw(Task.isCancelled) }
      }
      await Task.yield()
      task.cancel()
      _ = await task.value
      return canceled.all
    }
    #expect(seen == [[], [false], [true]])
  }

  // MARK: Time

  @Test(arguments: [0, 1]) func aTimeoutRacesWithProgress(count: Int) throws {
    let outcomes = try results(timers: .race(upTo: count)) { () -> Bool in
      let (store, clock) = (Store(0), SimulationClock())
      async let commit = store.dispatch { $0 = 1 }
      let isInTime = (try? await store.select().first(within: .seconds(1), clock: clock) { $0 == 1 }) != nil
      _ = await commit
      return isInTime
    }
    #expect(outcomes == (count == 0 ? [true] : [true, false]))
  }

  // MARK: Lazy initialization

  @Test func theClosureOfAFamilyCanRunTwice() throws {
    let counts = try results {
      let (store, runs) = (AtomStore(), Witness<Void>())
      let family = AtomFamily { (number: Int) -> Atom<Int> in
        runs.saw(())
        return Atom(number, keepAlive: true)
      }
      async let other = store.get(family(1))
      _ = (store.get(family(1)), await other)
      return runs.all.count
    }
    #expect(counts == [1, 2])
  }

  // MARK: Loops

  @Test func aTaskThatYieldsInALoopEnds() throws {
    let search = try Simulation.explore(.exhaustive()) {
      let done = Memory()
      await withTaskGroup { group in
        group.addTask { while done.value == 0 { await Task.yield() } }
        group.addTask { done.value = 1 }
      }
    }
    #expect(search.isComplete && search.hasFairYields)
    #expect(search.description.hasSuffix("complete with fair yields"))
  }

  // MARK: Limits

  /// There is no point between two statements that call neither the library nor `await`.
  @Test(arguments: [false, true]) func memoryNeedsPoints(hasPoints: Bool) throws {
    let sums = try results { () -> Int in
      let counter = Memory()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let old = counter.value
            if hasPoints { Simulation.point() }
            counter.value = old + 1
          }
        }
      }
      return counter.value
    }
    #expect(sums == (hasPoints ? [1, 2] : [2]))
  }

  /// There is no point between the cancellations of two tasks.
  @Test func twoCancellationsAreOneStep() throws {
    let seen = try results(maxPreemptions: 2) { () -> [Bool] in
      let canceled = Witness<Bool>()
      let tasks = (0..<2).map { _ in
        Task.inheritingExecutor {
          await Task.yield()
          canceled.saw(Task.isCancelled)
        }
      }
      await Task.yield()
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      return canceled.all
    }
    #expect(!seen.contains([true, false]))
  }

  private actor Line {
    func stand(_ number: Int, _ order: Order) { order.add("\(number)") }
  }

  /// The calls that wait for an actor run one after another, without another task in between.
  @Test func callsThatWaitForAnActorAreOneStep() throws {
    let orders = try results(maxPreemptions: 3) {
      let (line, order) = (Line(), Order())
      await withTaskGroup { group in
        for number in 1...2 {
          group.addTask {
            order.add("w")
            await line.stand(number, order)
          }
        }
        group.addTask {
          await Task.yield()
          order.add("x")
        }
      }
      return order.all
    }
    #expect(orders.isSuperset(of: ["ww12x", "wwx12", "w1w2x", "w1xw2", "xww12"]), "\(orders)")
    #expect(orders.isDisjoint(with: ["ww1x2", "ww2x1"]), "\(orders)")
  }

  /// There is no point after the end of a stream.
  @Test func theEndOfAStreamIsNoPoint() throws {
    let seen = try results { () -> [Int] in
      let (store, before, after) = (Store(0), Memory(), Memory())
      async let other: Void = {
        var stream: AsyncStream<Int>? = store.states
        before.value = 1
        await Task.yield()
        withExtendedLifetime(stream) {}
        stream = nil
        after.value = 1
      }()
      await Task.yield()
      let values = [before.value, store.diagnostics.subscribers.count, after.value]
      await other
      return values
    }
    #expect(seen.isSuperset(of: [[1, 1, 0], [1, 0, 1]]) && !seen.contains([1, 0, 0]), "\(seen)")
  }

  /// There is no point after a ticket is canceled in a cancellation handler.
  @Test func aCancellationHandlerIsOneStep() throws {
    let orders = try results(maxPreemptions: 2) {
      let (store, order) = (Store(0), Order())
      let ticket = store.send { (_: inout Int) async in }
      let waiting = Task.inheritingExecutor {
        await withTaskCancellationHandler {
          _ = await ticket.outcome
          order.add("outcome ")
        } onCancel: {
          ticket.cancel()
          order.add("handler ")
        }
      }
      await Task.yield()
      waiting.cancel()
      order.add("canceled ")
      await waiting.value
      return order.all
    }
    #expect(orders.contains("handler canceled outcome ") && !orders.contains("outcome handler canceled "), "\(orders)")
  }

  private enum Global {
    static let initializations = Witness<Void>()
    static let value: Int = {
      initializations.saw(())
      return 1
    }()
  }

  /// A static variable is initialized in the first schedule only.
  @Test func aStaticVariableIsInitializedOnce() throws {
    let search = try Simulation.explore(.exhaustive()) {
      async let one = Global.value
      _ = (Global.value, await one)
    }
    #expect(search.schedules > 1 && Global.initializations.all.count == 1)
  }

  /// A new task runs at most up to its first point before its creator continues, unless a task is canceled.
  @Test(arguments: [false, true]) func aNewTaskOvertakesByOneStep(cancels: Bool) throws {
    let orders = try results {
      let order = Order()
      await withTaskGroup { group in
        group.addTask {
          order.add("1")
          Simulation.point()
          order.add("2")
        }
        order.add("p")
        if cancels { group.cancelAll() }
      }
      return order.all
    }
    #expect(orders == (cancels ? ["p12", "1p2", "12p"] : ["p12", "1p2"]))
  }

  /// More timers than the bound do not fire early.
  @Test func timersBeyondTheBoundWait() throws {
    let counts = try results { () -> Int in
      let (clock, early) = (SimulationClock(), Witness<Void>())
      async let one: Void = { try? await clock.sleep(for: .seconds(1)) }()
      let isDone = Memory()
      async let other: Void = {
        for _ in 0..<2 {
          try? await clock.sleep(for: .seconds(1))
          if isDone.value == 0 { early.saw(()) }
        }
      }()
      await Task.yield()
      isDone.value = 1
      _ = await (one, other)
      return early.all.count
    }
    #expect(counts == [0, 1])
  }
}
