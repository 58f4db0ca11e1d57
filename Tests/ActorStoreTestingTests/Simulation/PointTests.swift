import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import Testing

/// Points at the end of a run, and calls that are no points because a lock may be held.
@Suite struct PointTests {
  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
  }

  /// After the step limit, a task that waits in a loop lets the task continue that it waits for.
  @Test func aLoopThatDoesNotEndReachesTheStepLimit() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.random(seed: 1), schedules: 20, maxSteps: 20) {
        let flag = Flag()
        let (hasBegun, begin) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
          group.addTask {
            for await _ in hasBegun {}
            while !flag.isSet { Simulation.point() }
          }
          group.addTask {
            begin.finish()
            for _ in 0..<100 { Simulation.point() }
            flag.set()
          }
        }
      }
    }
    #expect(failure?.verdict == .stepLimit)
  }

  /// The runtime holds a lock of the canceled task while it calls the handler.
  @Test func aTicketCanBeCanceledInACancellationHandler() throws {
    let found = try Simulation.explore(.exhaustive(maxPreemptions: 2)) {
      let store = Store(0)
      await withTaskGroup { group in
        group.addTask {
          let ticket = store.send { (count: inout Int) async in count += 1 }
          await withTaskCancellationHandler {
            _ = await ticket.outcome
          } onCancel: {
            ticket.cancel()
          }
        }
        await Task.yield()
        group.cancelAll()
      }
    }
    #expect(found.isComplete)
  }

  /// The last copies of an atom and of a wrapper are released under a lock that another task waits for.
  @Test func atomsCanBeReleasedUnderALock() throws {
    let found = try Simulation.explore(.exhaustive(maxPreemptions: 2)) {
      let (store, cache) = (AtomStore(), Cache())
      store.callAsCurrent {
        let atom = Atom(0)
        cache.put((atom, UseAtom(atom)))
      }
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { cache.put(nil) } }
      }
    }
    #expect(found.isComplete)
  }

  private final class Cache: Sendable {
    private let content = Mutex<(Atom<Int>, UseAtom<Int>)?>(nil)

    func put(_ new: sending (Atom<Int>, UseAtom<Int>)?) {
      Simulation.point()
      content.withLock { $0 = new }
    }
  }

  /// Another task can run before a reload and before a wait for a result.
  @Test func aReloadIsAPoint() throws {
    let results = Mutex<Set<Bool>>([])
    let found = try Simulation.explore(.exhaustive(sharing: .storesAndAtoms)) {
      let (store, quote) = (AtomStore(), AsyncAtom(keepAlive: true) { 1 })
      _ = try await store.result(of: quote)
      let isLoading = await withTaskGroup(of: Bool?.self) { group in
        group.addTask {
          store.callAsCurrent { quote.reload() }
          return nil
        }
        group.addTask { store.get(quote).loading }
        return await group.reduce(nil) { $0 ?? $1 }
      }
      results.withLock { _ = $0.insert(isLoading == true) }
    }
    #expect(found.isComplete && results.withLock { $0 } == [true, false])
  }
}
