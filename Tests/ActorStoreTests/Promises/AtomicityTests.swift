import ActorStore
import Testing

/// P4 to P6: Actions are all or nothing, reads see earlier commits, and drafts are invisible.
@Suite struct AtomicityTests {
  @Test func p4_anActionThatThrowsHalfwayChangesNothing() async {
    let store = Store(Log(entries: [1]))
    await #expect(throws: Boom()) { try await store.dispatch(FailHalfway()) }
    await #expect(throws: Boom()) { try await store.dispatch(FailingMutation()) }
    await #expect(throws: Boom()) {
      try await store.dispatch { log throws(Boom) in
        log.entries = []
        throw Boom()
      }
    }
    #expect(await store.state.entries == [1])
    #expect(store.diagnostics.revision == 0)
    #expect(await store.dispatch(Append(2)) == .committed(2))
  }

  @Test func p4_aCanceledActionThatThrowsChangesNothing() async {
    let store = Store(Log(entries: [1]))
    let begun = Gate()
    let end = Gate()
    let task = Task {
      try await store.dispatch { log async throws(CancellationError) in
        log.entries.append(2)
        begun.open()
        await end.wait()
        if Task.isCancelled { throw CancellationError() }
      }
    }
    await begun.wait()
    task.cancel()
    end.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await store.state.entries == [1])
    #expect(await store.dispatch(Append(2)) == .committed(2))
  }

  @Test func p4_anyActionRethrowsAndCommits() async throws {
    let store = Store(Log())
    let actions: [any Action<Log>] = [Append(1), SlowAppend(2), FailHalfway(), FailingMutation()]
    var outputs: [Int?] = []
    for action in actions {
      do {
        outputs.append(try await store.dispatch(action).output as? Int)
      } catch {
        #expect(error as? Boom == Boom())
        outputs.append(nil)
      }
    }
    #expect(outputs == [1, 2, nil, nil])
    #expect(await store.state.entries == [1, 2])
  }

  @Test func p5_aReadAfterADispatchSeesItsCommit() {
    explore {
      let store = Store(Log())
      let missing = await withTaskGroup { group in
        for entry in 0..<4 {
          group.addTask {
            if entry % 2 == 0 { await store.dispatch(Append(entry)) } else { await store.dispatch(SlowAppend(entry)) }
            return await store.state.entries.contains(entry) ? 0 : 1
          }
        }
        return await group.reduce(0, +)
      }
      return missing == 0 ? nil : "\(missing) commits were not seen"
    }
  }

  @Test func p5_theReturnedValueComesFromTheActionsOwnCommit() {
    explore {
      let store = Store(Log())
      let wrong = await withTaskGroup { group in
        for entry in 0..<4 {
          group.addTask {
            let last =
              entry % 2 == 0
              ? await store.dispatch(Append(entry)) { $0.entries.last }
              : await store.dispatch(SlowAppend(entry), returning: { $0.entries.last })
            return last == .committed(entry) ? 0 : 1
          }
        }
        return await group.reduce(0, +)
      }
      return wrong == 0 ? nil : "\(wrong) calls returned a value of another state"
    }
  }

  @Test func p6_draftsAreInvisibleAndDoNotDelayReaders() async {
    let store = Store(Log(entries: [1]))
    let half = Gate()
    let end = Gate()
    let ticket = store.send { log async in
      log.entries.append(2)
      half.open()
      await end.wait()
      log.entries.append(3)
    }
    await half.wait()
    #expect(await store.state.entries == [1])
    end.open()
    let outcome = await ticket.outcome
    #expect(outcome.isCommitted)
    #expect(await store.state.entries == [1, 2, 3])
  }

  /// A pair whose halves differ only while it is being changed.
  private struct Pair: Sendable {
    var left = [0]
    var right = [0]
  }

  @Test func p6_aReadDuringAMutationNeverSeesAPartialEdit() async {
    let store = Store(Pair())
    let stop = Flag()
    let halfStates = await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          var half = 0
          while !stop.isSet {
            let pair = await store.state
            if pair.left != pair.right { half += 1 }
            await Task.yield()
          }
          return half
        }
      }
      for number in 1...20_000 {
        await store.dispatch { pair in
          pair.left[0] = number
          pair.right[0] = number
        }
      }
      stop.set()
      return await group.reduce(0, +)
    }
    #expect(halfStates == 0)
    #expect(await store.state.left == [20_000])
  }

  @Test func p6_aReadStartedInsideAMutationGetsItsCommit() async {
    let store = Store(Log())
    let read = await store.dispatch { log -> Task<[Int], Never> in
      log.entries.append(1)
      let reading = Gate()
      let task = Task.immediate {
        reading.open()
        return await store.state.entries
      }
      log.entries.append(2)
      return task
    }
    #expect(await read.output?.value == [1, 2])
  }
}
