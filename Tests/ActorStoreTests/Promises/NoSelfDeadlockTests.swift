import Testing

@testable import ActorStore

/// P7: An action never waits for itself.
@Suite struct NoSelfDeadlockTests {
  @TaskLocal static var mark = 0

  @Test func p7_aDispatchInsideAnActionIsDeferred() {
    explore {
      let store = Store(Log())
      let outcomes = await store.dispatch { log async in
        log.entries.append(1)
        let first = await store.dispatch(Append(2))
        let second = await store.dispatch(SlowAppend(3))
        return [first, second]
      }
      await store.dispatch(Append(4))
      let entries = await store.state.entries
      return outcomes == .committed([.deferred, .deferred]) && entries == [1, 2, 3, 4]
        ? nil : "\(outcomes), \(entries)"
    }
  }

  @Test func p7_aDispatchFromAChildTaskOrATaskIsDeferred() {
    explore {
      let store = Store(Log())
      let outcomes = await store.dispatch { _ async -> [Outcome<Int>] in
        async let inLet = store.dispatch(Append(1))
        let inGroup = await withTaskGroup { group in
          group.addTask { await store.dispatch(SlowAppend(2)) }
          group.addTask {
            // A child of a child.
            async let inner = store.dispatch(Append(3))
            return await inner
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        let inTask = await inheritingTask { await store.dispatch(Append(4)) }.value
        return await [inLet, inTask] + inGroup
      }
      await store.dispatch(Append(5))
      let entries = await store.state.entries
      return outcomes.output == [.deferred, .deferred, .deferred, .deferred] && Set(entries) == [1, 2, 3, 4, 5]
        && entries.count == 5 && entries.last == 5 ? nil : "\(outcomes), \(entries)"
    }
  }

  @Test(arguments: 1...4) func p7_aDispatchThroughOtherStoresIsDeferred(depth: Int) {
    explore(schedules: 100) {
      let store = Store(Log())
      let others = (0..<depth).map { _ in Store(Log()) }
      @Sendable func reach(_ index: Int) async -> Outcome<Int> {
        if index == others.count { return await store.dispatch(Append(1)) }
        return await others[index].dispatch { _ async in await reach(index + 1) }.output ?? .cancelled
      }
      let outcome = await store.dispatch { _ async in await reach(0) }
      return outcome == .committed(.deferred) ? nil : "\(outcome)"
    }
  }

  @Test func p7_aDispatchFromATaskOnRealThreadsIsDeferred() async {
    let store = Store(Log())
    let outcome = await store.dispatch { _ async in await Task { await store.dispatch(Append(1)) }.value }
    #expect(outcome == .committed(.deferred))
    await store.dispatch(Append(2))
    #expect(await store.state.entries == [1, 2])
  }

  @Test func p7_aTaskThatOutlivesItsActionIsNotNested() {
    explore {
      let store = Store(Log())
      let over = Gate()
      let left = await store.dispatch { _ async in
        inheritingTask {
          await over.wait()
          return await store.dispatch(SlowAppend(1))
        }
      }
      over.open()
      let outcome = await left.output?.value
      return outcome == .committed(1) ? nil : "\(String(describing: outcome))"
    }
  }

  @Test func p7_aTaskThatOutlivesItsActionMayWaitForALaterAction() async {
    let store = Store(Log())
    let over = Gate()
    let left = await store.dispatch { _ async in
      Task {
        await over.wait()
        return await store.dispatch(Append(1))
      }
    }
    let end = Gate()
    store.send(Hold(until: end))
    over.open()
    await store.waitUntilQueued(1)
    end.open()
    #expect(await left.output?.value == .committed(2))
  }

  @Test func p7_awaitingItsOwnTicketIsDeferred() {
    explore {
      let store = Store(Log())
      let own = Witness<Ticket<Int, Never>>()
      let handed = Gate()
      let seen = Witness<Outcome<Int>>()
      let ticket = store.send { log async -> Int in
        await handed.wait()
        seen.saw(await own.all[0].outcome)
        // Awaiting a ticket behind this action would deadlock, too. Awaiting the ticket of an ended action would not.
        seen.saw(await store.send(Append(1)).outcome)
        log.entries.append(0)
        return 7
      }
      own.saw(ticket)
      handed.open()
      let outcome = await ticket.outcome
      await store.dispatch(Append(2))
      let entries = await store.state.entries
      return outcome == .committed(7) && seen.all == [.deferred, .deferred] && entries == [0, 1, 2]
        ? nil : "\(outcome), \(seen.all), \(entries)"
    }
  }

  @Test func p7_anEndedTicketCanBeAwaitedInsideALaterAction() async {
    let store = Store(Log())
    let ended = store.send(SlowAppend(1))
    let outcome = await ended.outcome
    #expect(outcome == .committed(1))
    let seen = await store.dispatch { _ async in await ended.outcome }
    #expect(seen == .committed(.committed(1)))
  }

  @Test func p7_aDeferredActionIsNotNestedAndHasTheTaskLocalsOfTheCall() {
    explore {
      let store = Store(Log())
      let seen = Witness<Int>()
      let done = Gate()
      await store.dispatch { _ async in
        await Self.$mark.withValue(5) {
          _ = await store.dispatch { _ async in
            seen.saw(Self.mark)
            seen.saw(CallChain.current.contains(TurnID(store.queue.id, 1)) ? 1 : 0)
            // A call in the deferred action is still nested in that action.
            seen.saw(await store.dispatch(Append(1)) == .deferred ? 1 : 0)
            done.open()
          }
        }
      }
      await done.wait()
      return seen.all == [5, 0, 1] ? nil : "\(seen.all)"
    }
  }

  @Test func p7_aDeferredActionIsNotCanceledWithItsCaller() {
    explore {
      let store = Store(Log())
      let caller = inheritingTask {
        _ = await store.dispatch { _ async in
          await store.dispatch(SlowAppend(1))
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await caller.value
      await store.dispatch(Append(2))
      let entries = await store.state.entries
      return entries == [1, 2] ? nil : "\(entries)"
    }
  }

  @Test func p7_noCallIsNestedInAMutation() {
    explore {
      let store = Store(Log())
      let started = await store.dispatch { log in
        log.entries.append(1)
        return inheritingTask { await store.dispatch(Append(2)) }
      }
      let outcome = await started.output?.value
      return outcome == .committed(2) ? nil : "\(String(describing: outcome))"
    }
  }

  @Test func p7_sentActionsAreNotNested() {
    explore {
      let outer = Store(Log())
      let inner = Store(Log())
      let outcome = await outer.dispatch { _ async in
        // One mutation runs inside the call, and the other in the queue. Neither is nested in the outer action.
        let atOnce = inner.send { _ in inheritingTask { CallChain.current.isEmpty } }
        inner.send { _ async in await Task.yield() }
        let later = inner.send { _ in inheritingTask { CallChain.current.isEmpty } }
        return await [atOnce.outcome.output?.value, later.outcome.output?.value]
      }
      return outcome == .committed([true, true]) ? nil : "\(outcome)"
    }
  }

  @Test func closeInsideAnAction() {
    explore {
      let store = Store(Log())
      let before = Witness<Outcome<Int>>()
      let outcome = await store.dispatch { log async in
        log.entries.append(1)
        before.saw(await store.dispatch(Append(2)))
        store.close()
        store.close()
        before.saw(await store.dispatch(Append(3)))
        before.saw(await store.send(Append(3)).outcome)
      }
      while !store.diagnostics.queued.isEmpty || store.diagnostics.holder != nil { await Task.yield() }
      let entries = await store.state.entries
      let after = await store.dispatch(Append(4))
      return outcome.isCommitted && before.all == [.deferred, .closed, .closed] && entries == [1, 2]
        && after == .closed ? nil : "\(before.all), \(entries), \(after)"
    }
  }
}
