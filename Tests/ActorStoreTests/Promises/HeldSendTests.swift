import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ActorStore

/// Actions sent behind a running action, on real threads (P2, P3, P9).
///
/// The call creates the action's task immediately. The task starts when its turn arrives or its ticket is withdrawn.
@Suite struct HeldSendTests {
  private enum Sender {
    @TaskLocal static var number = -1
  }

  private struct Seen: Equatable {
    var sender = Sender.number
    var priority = Task.basePriority
  }

  /// Returns a store whose turn is held until the gate opens.
  private static func busy() -> (store: Store<[Int]>, gate: Gate) {
    let (store, gate) = (Store([Int]()), Gate())
    store.send(label: "hold") { _ async in await gate.wait() }
    return (store, gate)
  }

  @Test(arguments: [TaskPriority.low, .medium, .high])
  func p3_aHeldActionInheritsTheTaskLocalsAndPriorityOfItsSender(_ priority: TaskPriority) async {
    let (store, gate) = Self.busy()
    let (action, mutation) = await Task.detached(priority: priority) {
      Sender.$number.withValue(7) {
        (store.send { _ async in Seen() }, store.send { _ in Sender.number })
      }
    }.value
    gate.open()
    #expect(await action.outcome == .committed(Seen(sender: 7, priority: priority)))
    #expect(await mutation.outcome == .committed(7))
  }

  private struct Refused: Error, Equatable {}

  @Test func p4_theOutcomeThrowsTheErrorOfAHeldAction() async throws {
    let (store, gate) = Self.busy()
    let fails = store.send { (_) async throws(Refused) in throw Refused() }
    let succeeds = store.send { (numbers) async throws(Refused) in numbers.append(1) }
    gate.open()
    await #expect(throws: Refused()) { try await fails.outcome }
    _ = try await succeeds.outcome
    #expect(await store.state == [1])
  }

  @Test func p3_anActionSentOutsideATaskRunsLikeATaskCreatedThere() async {
    let (store, gate) = Self.busy()
    let (ticket, task) = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let ticket = Sender.$number.withValue(8) { store.send { _ async in Seen() } }
        continuation.resume(returning: (ticket, Sender.$number.withValue(8) { Task { Seen() } }))
      }
    }
    gate.open()
    #expect(await ticket.outcome == .committed(await task.value))
  }

  /// Counts as alive until it is released.
  private final class Token: Sendable {
    private let alive: Alive

    init(_ alive: Alive) {
      self.alive = alive
      alive.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { alive.count.wrappingSubtract(1, ordering: .relaxed) }
  }

  private final class Alive: Sendable {
    let count = Atomic(0)
  }

  private struct Enter: Action {
    let number: Int
    let token: Token

    func run(_ numbers: inout [Int]) async -> Int {
      numbers.append(number)
      return number
    }
  }

  @Test func p2_allButTheCanceledActionsRunInOrderAndAllAreReleased() async {
    let alive = Alive()
    let (store, gate) = Self.busy()
    let tickets = (0..<1_000).map { store.send(Enter(number: $0, token: Token(alive))) }
    for number in 0..<1_000 where number % 3 == 1 { tickets[number].cancel() }
    #expect(store.diagnostics.queued.count == 667)
    gate.open()
    for (number, ticket) in tickets.enumerated() {
      #expect(await ticket.outcome == (number % 3 == 1 ? .cancelled : .committed(number)))
    }
    #expect(await store.state == (0..<1_000).filter { $0 % 3 != 1 })
    #expect(alive.count.load(ordering: .relaxed) == 0)
  }

  /// Whichever happens first, the outcome and the state agree on whether the action ran.
  @Test func p9_canceledAsItsTurnArrives() async {
    for _ in 0..<500 {
      let (store, gate) = Self.busy()
      let tickets = (0..<4).map { number in
        store.send { numbers async in
          numbers.append(number)
          return number
        }
      }
      async let opened: Void = gate.open()
      tickets[0].cancel()
      tickets[2].cancel()
      await opened
      var committed: [Int] = []
      for (number, ticket) in tickets.enumerated() where await ticket.outcome != .cancelled {
        committed.append(number)
      }
      #expect(await store.state == committed)
      #expect(committed.contains(1) && committed.contains(3))
    }
  }

  /// A closed store still runs the actions that it has accepted.
  @Test func aClosedStoreStartsHeldActionsInTheirTurn() async {
    let (store, gate) = Self.busy()
    let last = store.send { numbers async in numbers.count }
    store.close()
    gate.open()
    #expect(await last.outcome == .committed(0))
  }

  /// A deferred action waits in an unstarted task, like a sent one, and is not canceled with its caller.
  @Test func p7_aDeferredActionIsHeld() async {
    let store = Store([Int]())
    let caller = Task {
      await store.dispatch { _ async in
        let outcome = await Sender.$number.withValue(9) {
          await store.dispatch { numbers async in
            numbers.append(Task.isCancelled ? -1 : Sender.number)
            return numbers.count
          }
        }
        withUnsafeCurrentTask { $0?.cancel() }
        return outcome == .deferred
      }.output
    }
    #expect(await caller.value == true)
    await store.dispatch { _ in }
    #expect(await store.state == [9])
  }

  private static func held(_ token: Token) -> (unstarted: UnstartedTask, task: Task<Int, Never>)? {
    UnstartedTask.create { withExtendedLifetime(token) { 7 } }
  }

  /// A held task runs its operation once it is started, and then releases it.
  @Test(.enabled(if: RuntimeEntries.areUsed, "Swift's public API cannot create a task without starting it"))
  func aHeldTaskRunsWhenItIsStarted() async throws {
    let alive = Alive()
    let (held, handle) = try #require(Self.held(Token(alive)))
    #expect(alive.count.load(ordering: .relaxed) == 1)
    held.start()
    #expect(await handle.value == 7)
    #expect(alive.count.load(ordering: .relaxed) == 0)
  }
}
