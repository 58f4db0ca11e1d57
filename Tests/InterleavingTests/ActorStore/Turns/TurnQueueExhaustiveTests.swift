import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of the steps of a few callers of `TurnQueueStateMachine` (P1, P2, P6, P9, P10).
@Suite struct TurnQueueExhaustiveTests {
  static let calls: [VirtualCaller.Kind] = [
    .mutationHere, .mutationElsewhere, .action, .failingAction, .guardedMutation, .vetoedMutation, .overlapping, .sent,
  ]

  // Callers of the same kind are interchangeable, so each combination is tried in only one order.
  @Test(arguments: calls.indices)
  func twoCallersWithCancellationAtEveryPoint(_ first: Int) {
    for second in Self.calls[first...] { expectSound([(Self.calls[first], true), (second, true)]) }
  }

  @Test(.largeSearch, arguments: calls.indices)
  func threeCallersWithCancellationAtEveryPoint(_ first: Int) {
    for second in Self.calls.indices[first...] {
      for third in Self.calls[second...] {
        // An overlapping action takes twice as many steps, so a third cancellation would mean ten times as many states.
        expectSound([(Self.calls[first], true), (Self.calls[second], true), (third, third != .overlapping)])
      }
    }
  }

  @Test(arguments: calls, calls)
  func readsAlongsideTwoCallers(_ first: VirtualCaller.Kind, _ second: VirtualCaller.Kind) {
    expectSound([(first, false), (second, true), (.read, false), (.read, false)])
  }

  @Test(.largeSearch, arguments: calls, calls)
  func closeAlongsideTwoCallers(_ first: VirtualCaller.Kind, _ second: VirtualCaller.Kind) {
    expectSound([(first, true), (second, true), (.close, false), (.close, false)])
  }

  @Test(.largeSearch, arguments: calls, calls)
  func aDispatchNestedInTheHolder(_ first: VirtualCaller.Kind, _ second: VirtualCaller.Kind) {
    expectSound([(first, false), (second, true), (.nested, true)])
    expectSound([(first, false), (.nested, true), (.nested, false)])
  }

  /// Waiters that wake before their turn park again, may be canceled in the meantime, and get the turn in order.
  @Test(.largeSearch, arguments: [VirtualCaller.Kind.mutationHere, .guardedMutation, .action])
  func severalWaitersBehindACall(_ first: VirtualCaller.Kind) {
    let mutation = VirtualCaller.Kind.mutationElsewhere
    expectSound([(first, false), (.action, true), (.action, true), (.sent, false)])
    expectSound([(first, false), (mutation, true), (mutation, true), (mutation, false)])
    expectSound([(first, false), (mutation, false), (.action, true), (mutation, true)])
    expectSound([(first, false), (mutation, true), (mutation, false), (.read, false)])
  }

  /// Like `severalWaitersBehindACall`, but after the next vain wake-up, waiters no longer wake before their turn.
  @Test(.largeSearch, arguments: [VirtualCaller.Kind.mutationHere, .action])
  func severalWaitersAfterVainWakeUps(_ first: VirtualCaller.Kind) {
    let (mutation, inVain) = (VirtualCaller.Kind.mutationElsewhere, WakeAheadPolicy(inVain: 3))
    expectSound([(first, false), (.action, true), (.action, true), (.sent, false)], inVain)
    expectSound([(first, false), (mutation, true), (.action, true), (mutation, false)], inVain)
  }

  /// A call that waits across stores may have to give way at any moment, even while it is being canceled.
  @Test(arguments: calls, [VirtualCaller.Kind.mutationElsewhere, .action, .overlapping])
  func aCallThatGivesWay(_ first: VirtualCaller.Kind, _ second: VirtualCaller.Kind) {
    expectSound([(.action, false), (second, true)], revocable: [1])
    expectSound([(.action, false), (first, false), (second, true)], revocable: [2])
  }

  private func expectSound(
    _ callers: [(kind: VirtualCaller.Kind, canBeCancelled: Bool)],
    _ wakeAheadPolicy: WakeAheadPolicy = WakeAheadPolicy(),
    revocable: Set<Int> = []
  ) {
    let world = VirtualWorld(
      turns: TurnQueueStateMachine(wakeAheadPolicy: wakeAheadPolicy),
      callers: callers.enumerated().map { index, caller in
        VirtualCaller(
          kind: caller.kind, cancellation: caller.canBeCancelled ? .possible : .never,
          revocation: revocable.contains(index) ? .possible : .never)
      })
    let exploration = Interleavings(of: world)
    #expect(exploration.problem?.description == nil, "\(callers.map(\.kind))")
    #expect(exploration.count > 1)
  }

  private func take(from turns: inout TurnQueueStateMachine<Int, Int, Int>) -> TicketNumber {
    switch turns.take(.text("a"), canSuspend: true, startingIn: .running, isNested: { _ in false }) {
    case .run(let ticket), .wait(let ticket, _), .deferred(let ticket, _): ticket
    case .closed: TicketNumber()
    }
  }

  @Test func theHolderBlocksItsOwnTicketAndWaitingTickets() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    let (first, second, third) = (take(from: &turns), take(from: &turns), take(from: &turns))
    #expect([first, second, third].map { turns.blocker(of: $0) } == [first, first, first])
    #expect(turns.withdraw(third) == nil)
    #expect(turns.blocker(of: third) == nil)
    #expect(turns.handOff(first) == nil)
    #expect([first, second].map { turns.blocker(of: $0) } == [nil, second])
  }

  @Test func theHolderBlocksOverlappingActions() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    let first = take(from: &turns)
    #expect(turns.startOverlapping(first, Overlapping(label: .text("a"), turn: .none)) == nil)
    #expect(turns.blocker(of: first) == nil)
    let second = take(from: &turns)
    #expect(turns.blocker(of: first) == second)
    #expect(turns.isHeldUp(first, isNested: { $0 == second }))
    #expect(!turns.isHeldUp(first, isNested: { $0 == first }))
    #expect(turns.endOverlapping(first).isEmpty)
    #expect(turns.blocker(of: first) == nil)
    #expect(!turns.isHeldUp(first, isNested: { $0 == second }))
  }

  @Test func aReadDuringAMutationGetsExactlyItsCommit() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    guard
      case .run(let first) = turns.take(.text("a"), canSuspend: false, startingIn: .applying, isNested: { _ in false })
    else { return #expect(Bool(false), "an idle store grants the turn") }
    #expect(!turns.isReadable)
    turns.park(reader: 7)
    guard
      case .wait(let second, let place) = turns.take(
        .text("b"), canSuspend: false, startingIn: .applying, isNested: { _ in false }), place.waiting == .soon
    else { return #expect(Bool(false), "behind a mutation, a call waits briefly") }
    guard case .answer(let readers) = turns.endApplying(first) else {
      return #expect(Bool(false), "reads are answered before the turn is handed off")
    }
    #expect(readers == [7])
    #expect(turns.revision == 1)
    #expect(turns.holder?.ticket == first)
    #expect(turns.isReadable)
    #expect(turns.handOff(first) == nil)
    #expect(turns.holder?.ticket == second)
  }
}
