import ActorStoreTesting
import Testing

@testable import ActorStore

/// P10: No thread is blocked, and no user code runs under a lock.
@Suite struct NoBlockingTests {
  /// A thousand calls wait on one thread, so the run would never end if one of them blocked the thread.
  @Test func p10_waitingCallsSuspend() throws {
    try Simulation.explore(.random(seed: 1), schedules: 1) {
      let store = Store(Log())
      await withTaskGroup { group in
        for entry in 0..<1_000 { group.addTask { await store.dispatch(SlowAppend(entry)) } }
      }
    }
  }

  /// Calls its store when it is deallocated, which deadlocks if that happens under the store's lock.
  private final class Nosy: Sendable {
    let store: Witness<Store<Held>>
    let gone: Witness<UInt64>

    init(_ store: Witness<Store<Held>>, _ gone: Witness<UInt64>) {
      self.store = store
      self.gone = gone
    }

    deinit {
      gone.saw(store.all[0].diagnostics.revision)
      store.all[0].send { $0.count += 1 }
    }
  }

  private struct Held: Sendable {
    var nosy: Nosy?
    var count = 0
  }

  private struct Drop: Action {
    let carried: Nosy
    func run(_ held: inout Held) async { held.nosy = nil }
  }

  @Test func p10_oldStatesActionsAndClosuresAreReleasedOutsideTheLock() async {
    let stores = Witness<Store<Held>>()
    let gone = Witness<UInt64>()
    let store = Store(Held())
    stores.saw(store)
    @Sendable func nosy() -> Nosy { Nosy(stores, gone) }
    // A draft replaces some old states, and the last one is edited in place.
    await store.dispatch { [nosy = nosy()] held async in held.nosy = nosy }
    await store.dispatch { [nosy = nosy()] held async in held.nosy = nosy }
    await store.dispatch { [nosy = nosy()] held in held.nosy = nosy }
    // The actions run, are deferred, are canceled in the queue, or are refused.
    await store.dispatch(Drop(carried: nosy()))
    await store.dispatch { _ async in await store.dispatch(Drop(carried: nosy())) }
    let end = Gate()
    store.send { _ async in await end.wait() }
    store.send(Drop(carried: nosy())).cancel()
    let ticket = store.send(Drop(carried: nosy()))
    end.open()
    _ = await ticket.outcome
    store.close()
    store.send(Drop(carried: nosy()))
    while gone.all.count < 8 { await Task.yield() }
    #expect(gone.all.count == 8)
  }
}
