import Testing

@testable import ActorStore

/// The deferred calls of one store, and its groups, as pure logic.
@Suite struct DeferredCallsTests {
  private func ticket(_ number: UInt64) -> TicketNumber { TicketNumber(number: number) }
  private func turn(_ store: UInt64, _ ticket: UInt64 = 1) -> TurnID {
    TurnID(store: StoreID(number: store), ticket: TicketNumber(number: ticket))
  }

  @Test func callsOfDifferentScopesStayInOrder() {
    var calls = DeferredCalls<Int>()
    for (call, scope) in [(1, 0), (2, 7), (3, 0), (4, 8), (5, 7)] {
      #expect(calls.add(call, in: UInt64(scope), to: ticket(1)) == true)
    }
    #expect(calls.add(9, in: 0, to: ticket(2)) == true)
    #expect(calls.fail(8, through: 8, of: ticket(1)) == [4])
    #expect(calls.add(6, in: 8, to: ticket(1)) == false, "a task that outlives its scope")
    #expect(calls.fail(8, through: 8, of: ticket(1)) == [])
    #expect(calls.take(of: ticket(1)) == [1, 2, 3, 5])
    #expect(calls.areOwned)
    calls.move(from: ticket(2), to: ticket(3))
    #expect(calls.take(of: ticket(2)) == [])
    #expect(calls.take(of: ticket(3)) == [9])
    #expect(!calls.areOwned)
  }

  @Test func acceptedCallsAreCountedByOwner() {
    var calls = DeferredCalls<Int>()
    let (one, other) = (turn(1), turn(2))
    for owner in [one, one, other] { calls.accept(from: owner) }
    #expect(calls.expectedCount == 3 && Set(calls.owners) == [one, other])
    calls.release(from: one)
    #expect(calls.expects(from: one))
    calls.release(from: one)
    calls.release(from: one)
    #expect(!calls.expects(from: one) && calls.areExpected)
    calls.release(from: other)
    #expect(!calls.areExpected)
  }

  /// A call may end its wait for its owner before or after the owner has ended.
  @Test func onlyARunningActionOwnsACall() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    guard
      case .run(let first) = turns.take(.text("a"), canSuspend: true, startingIn: .running, isNested: { _ in false }),
      case .deferred(let second, _) = turns.take(
        .text("b"), canSuspend: true, startingIn: .running, isNested: { $0 == first })
    else { return #expect(Bool(false), "a nested call is deferred") }
    #expect(turns.own(5, in: 0, first, overlapping: nil) == .owned)
    #expect(turns.own(6, in: 0, second, overlapping: nil) == .hasEnded)
    #expect(turns.commitIfAlone(first) == false, "the fast path would forget the deferred call")
    #expect(turns.freeIfNoneWaits(first) == false)
    guard case .decide([5]) = turns.endTurn(first) else { return #expect(Bool(false), "the action owns a call") }
    #expect(turns.own(8, in: 0, first, overlapping: nil) == .owned, "a task of the action may still make calls")
    guard case .decide([8]) = turns.endTurn(first), case .handedOff(let next) = turns.endTurn(first) else {
      return #expect(Bool(false), "the turn ends when nothing is left to decide")
    }
    #expect(!turns.deferred.areOwned)
    let owning = turns.own(7, in: 0, first, overlapping: nil)
    #expect(next == nil && owning == .hasEnded)
  }

  /// The store accepts a call that gives up its ticket, and is not idle until the owner ends.
  @Test func anAcceptedCallKeepsTheStoreFromBeingDrained() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    guard
      case .run(let first) = turns.take(.text("a"), canSuspend: true, startingIn: .running, isNested: { _ in false }),
      case .wait(let second, _) = turns.take(
        .text("b"), canSuspend: true, startingIn: .running, isNested: { _ in false })
    else { return #expect(Bool(false), "the second call waits") }
    #expect(turns.accept(from: turn(9), insteadOf: second) == true)
    turns.close()
    #expect(turns.handOff(first) == nil)
    #expect(!turns.isIdle && !turns.isDrained)
    let later = turns.take(
      .text("c"), canSuspend: true, startingIn: .running, isReturning: true, owner: { turn(9) },
      isNested: { _ in false })
    guard case .deferred(.none, let place) = later, place.ahead == 0 else {
      return #expect(Bool(false), "a later call is deferred")
    }
    #expect(turns.deferred.expectedCount == 2)
    for _ in 0..<2 { turns.deferred.release(from: turn(9)) }
    #expect(turns.isDrained)
  }

  /// If the turn of the ticket arrives at the same moment, the call must end that turn.
  @Test func acceptingACallWhoseTurnHasArrived() {
    var turns = TurnQueueStateMachine<Int, Int, Int>()
    guard
      case .run(let ticket) = turns.take(.text("a"), canSuspend: true, startingIn: .granted, isNested: { _ in false })
    else { return #expect(Bool(false), "an idle store grants the turn") }
    #expect(turns.accept(from: turn(9), insteadOf: ticket) == false)
    #expect(turns.holder?.ticket == ticket && turns.deferred.areExpected)
  }

  @Test func groupsShareTheIDOfTheGroupThatStartedThem() {
    var groups = RunningGroups()
    let id = turn(1 | 1 << 62)
    for number in 1...3 { groups.begin(UInt64(number), .text("group"), as: id) }
    let chain = [turn(4), id]
    #expect(groups.first(in: chain) == id && groups.turns == [id])
    #expect(groups.first(in: [turn(4)]) == nil)
    for number: UInt64 in [3, 2, 1] {
      #expect(groups.first(in: chain) == id)
      groups.setCancel(number) {}
      let (first, second) = (groups.end(number), groups.end(number))
      #expect(first != nil && second == nil)
    }
    #expect(groups.first(in: chain) == nil && groups.isEmpty && groups.all.isEmpty)
  }

  /// A scope owns the calls of the groups inside it, but not those of other actions.
  @Test func theScopeOfAChain() async {
    let scope: UInt64 = 3
    let group = turn(5 | 1 << 62)
    let seen = Witness<[UInt64]>()
    await CallChain.nest(in: turn(4)) {
      await CallChain.nest(inScope: scope) {
        seen.saw(CallChain.current.actions.map(\.scope))
        seen.saw(CallChain.current.nested(in: group).actions.map(\.scope))
        seen.saw(CallChain.current.nested(in: turn(6)).nested(in: turn(7)).actions.map(\.scope))
      }
    }
    #expect(seen.all == [[3], [3], [0, 0, 0]])
  }
}
