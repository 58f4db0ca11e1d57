import ActorStoreTesting
import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// P9: An action that is canceled before it begins never runs, and the outcome of a committed action is `committed`.
@Suite struct CancellationTests {
  /// Records its runs outside the state, where no rollback can erase them.
  private struct Counted: Action {
    let ran: Witness<Void>

    func run(_ log: inout Log) async {
      ran.saw(())
      log.entries.append(1)
      await Task.yield()
    }
  }

  private struct CountedAtOnce: Mutation {
    let ran: Witness<Void>

    func run(_ log: inout Log) {
      ran.saw(())
      log.entries.append(1)
    }
  }

  @Test func p9_canceledBeforeTheCall() async {
    let store = Store(Log())
    let ran = Witness<Void>()
    let outcomes = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await [
        store.dispatch(Append(1)), store.dispatch(SlowAppend(1)), store.dispatch { _ in 1 },
        store.dispatch(Append(1), returning: { _ in 1 }),
      ]
    }.value
    #expect(outcomes == [.cancelled, .cancelled, .cancelled, .cancelled])
    #expect(ran.all.isEmpty)
    #expect(await store.state.entries.isEmpty)
  }

  @Test func p9_anActionSentByACanceledTaskRuns() async {
    let store = Store(Log())
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = store.send(SlowAppend(1))
      _ = store.send(Append(2))
    }.value
    await store.dispatch(Append(3))
    #expect(await store.state.entries == [1, 2, 3])
  }

  @Test(arguments: [true, false]) func p9_aSentMutationDoesNotSeeItsSendersCancellation(isIdle: Bool) async {
    let store = Store(Log())
    let end = Gate()
    if !isIdle { store.send(Hold(until: end)) }
    let outcome = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let ticket = store.send { _ in Task.isCancelled }
      end.open()
      return await ticket.outcome
    }.value
    #expect(outcome == .committed(false))
  }

  @Test func p9_canceledWhileQueued() async {
    let store = Store(Log())
    let end = Gate()
    store.send(Hold(until: end))
    let queued = Task { await store.dispatch(Append(1)) }
    await store.waitUntilQueued(1)
    queued.cancel()
    // The call returns although the action ahead has not ended.
    #expect(await queued.value == .cancelled)
    #expect(store.diagnostics.queued.isEmpty)
    end.open()
    await store.dispatch(Append(2))
    #expect(await store.state.entries == [0, 2])
  }

  /// Like `p9_canceledWhileQueued`, but the simulation reports a deadlock if the call does not return.
  @Test func p9_canceledWhileQueuedInSimulation() {
    explore {
      let store = Store(Log())
      let end = Gate()
      store.send(Hold(until: end))
      let queued = inheritingTask { await store.dispatch(Append(1)) }
      await store.waitUntilQueued(1)
      queued.cancel()
      let outcome = await queued.value
      end.open()
      await store.dispatch(Append(2))
      let entries = await store.state.entries
      return outcome == .cancelled && entries == [0, 2] ? nil : "\(outcome), \(entries)"
    }
  }

  @Test func p9_aStuckActionBlocksNeitherReadersNorCancellation() async {
    let store = Store(Log(entries: [7]))
    let never = Gate()
    let begun = Gate()
    let stuck = store.send(Hold(begun: begun, until: never))
    await begun.wait()
    let queued = (0..<20).map { _ in Task { await store.dispatch(SlowAppend(1)) } }
    await store.waitUntilQueued(20)
    #expect(await store.state.entries == [7])
    for task in queued { task.cancel() }
    for task in queued { #expect(await task.value == .cancelled) }
    never.open()
    _ = await stuck.outcome
    #expect(await store.state.entries == [7, 0])
  }

  @Test func p9_aTicketCanceledBeforeItsActionBegins() async {
    let store = Store(Log())
    let end = Gate()
    store.send(Hold(until: end))
    let tickets = [store.send(Append(1)), store.send(SlowAppend(2)), store.send(Append(3))]
    tickets[1].cancel()
    let cancelled = await tickets[1].outcome
    #expect(cancelled == .cancelled)
    end.open()
    let last = await tickets[2].outcome
    #expect(last == .committed(3))
    tickets[0].cancel()
    let first = await tickets[0].outcome
    #expect(first == .committed(2))
    #expect(await store.state.entries == [0, 1, 3])
  }

  @Test func p9_aTicketCanceledWhileItsActionRuns() async {
    let store = Store(Log())
    let begun = Gate()
    let end = Gate()
    let ticket = store.send { _ async in
      begun.open()
      await end.wait()
      return Task.isCancelled
    }
    await begun.wait()
    ticket.cancel()
    end.open()
    let outcome = await ticket.outcome
    #expect(outcome == .committed(true))
  }

  @Test func p9_manyCancellationsOnRealThreads() async {
    let store = Store(Log())
    let ran = Witness<Void>()
    var random = SplitMix64(1)
    var outcomes: [Outcome<Void>] = []
    for _ in 0..<200 {
      let tasks = (0..<20).map { index in
        Task {
          index % 2 == 0
            ? await store.dispatch(Counted(ran: ran)) : await store.dispatch(CountedAtOnce(ran: ran))
        }
      }
      for task in tasks where random.below(2) == 0 {
        if random.below(3) == 0 { await Task.yield() }
        task.cancel()
      }
      for task in tasks { outcomes.append(await task.value) }
    }
    expectCountsAddUp(outcomes, ran: ran.all.count, changes: await store.state.entries.count)
  }

  /// A cancellation, and whether an action has seen it.
  private struct Cancellation: Sendable {
    let isSet = Flag()
    let isSeen = Flag()
  }

  /// Records whether it was canceled before an earlier action began.
  ///
  /// Another thread can cancel an action between the store's check and the action's first statement.
  private struct Begins: Action {
    let own: Cancellation
    let all: [Cancellation]
    let tooLate: Flag

    func run(_ log: inout Log) async {
      if own.isSeen.isSet { tooLate.set() }
      for other in all where other.isSet.isSet { other.isSeen.set() }
      log.entries.append(1)
      await Task.yield()
    }
  }

  @Test func p9_canceledDuringAHandOff() {
    explore(schedules: TestSize.count(1_000)) {
      let store = Store(Log())
      let tooLate = Flag()
      let cancellations = (0..<4).map { _ in Cancellation() }
      let pairs = cancellations.map { cancellation in
        let action = Begins(own: cancellation, all: cancellations, tooLate: tooLate)
        let ticket = store.send(action)
        let task = inheritingTask { await store.dispatch(action) }
        let canceller = inheritingTask {
          task.cancel()
          ticket.cancel()
          cancellation.isSet.set()
        }
        return (ticket, task, canceller)
      }
      for (ticket, task, canceller) in pairs {
        _ = await (ticket.outcome, task.value, canceller.value)
      }
      return tooLate.isSet ? "an action began after it was canceled" : nil
    }
  }

  @Test func p9_manyCancellationsInSimulation() {
    explore(schedules: TestSize.count(1_000)) {
      let store = Store(Log())
      let ran = Witness<Void>()
      let tasks = (0..<6).map { index in
        inheritingTask {
          index % 2 == 0
            ? await store.dispatch(Counted(ran: ran)) : await store.dispatch(CountedAtOnce(ran: ran))
        }
      }
      // Each cancellation has its own task, so the schedule decides when it happens.
      let cancellers = tasks.enumerated().filter { $0.offset % 3 != 2 }.map { _, task in
        inheritingTask { task.cancel() }
      }
      var committed = 0
      var cancelled = 0
      for task in tasks {
        switch await task.value {
        case .committed: committed += 1
        case .cancelled: cancelled += 1
        default: return "neither committed nor canceled"
        }
      }
      for canceller in cancellers { await canceller.value }
      let changes = await store.state.entries.count
      if committed != changes || ran.all.count != committed || committed + cancelled != 6 {
        return "\(committed) committed, \(cancelled) canceled, \(changes) changes, \(ran.all.count) ran"
      }
      return store.diagnostics.holder == nil ? nil : "the turn was not released"
    }
  }

  private func expectCountsAddUp(_ outcomes: [Outcome<Void>], ran: Int, changes: Int) {
    let committed = outcomes.count { $0.isCommitted }
    let cancelled = outcomes.count { if case .cancelled = $0 { true } else { false } }
    #expect(committed == changes)
    #expect(ran == committed)
    #expect(committed + cancelled == outcomes.count)
  }
}
