import ActorStoreTesting

@testable import ActorStore

/// A call to a store, modeled as the shell makes it, without threads and tasks.
///
/// It takes one atomic step of `TurnQueueStateMachine` at a time.
struct VirtualCaller: Hashable {
  enum Kind {
    /// A mutation that begins as it takes its ticket, because it can run where it is called.
    case mutationHere
    /// A mutation whose caller must leave its actor first.
    case mutationElsewhere
    /// A mutation after whose commit the store calls guards.
    case guardedMutation
    /// A mutation that a guard vetoes.
    case vetoedMutation
    /// An asynchronous action whose caller must leave its actor first.
    case action
    /// An asynchronous action that throws.
    case failingAction
    /// An action that takes one turn to start and another to commit.
    case overlapping
    /// A sent action, which only its ticket can cancel.
    case sent
    /// An action nested in the action that has the turn at the time of the call.
    case nested
    case read
    case close

    var canSuspend: Bool { self == .action || self == .failingAction || self == .nested || self == .sent }
    /// Whether the action tells the queue that it begins.
    ///
    /// An action that may suspend while it runs does not, even if it never suspends while it has a turn.
    var saysThatItBegins: Bool { !canSuspend && self != .overlapping }
    var commits: Bool { self != .failingAction && self != .vetoedMutation }
    var isGuarded: Bool { self == .guardedMutation || self == .vetoedMutation }
    var editsInPlace: Bool { self == .mutationHere || self == .mutationElsewhere || isGuarded }
  }

  enum Step: Hashable {
    case call
    /// Registers the cancellation handler, if the call waits behind actions that can suspend.
    case install
    /// Puts the action's own task in the queue without starting it.
    case hold
    /// Gives a deferred call to its owner.
    case own
    /// Waits for the end of its owner.
    case owned
    case park
    case parked
    /// Must give way, and stops listening for cancellation.
    case givesWay
    /// Waits in a task that has not started.
    case held
    case begin
    /// Starts to overlap.
    case start
    /// Runs without a turn.
    case overlaps
    case end
    /// Hands off the turn after answering reads or calling guards.
    case handOff
    case done(End)
  }

  enum End: Hashable {
    case committed, failed, cancelled, closed, read(revision: UInt64), ended
    /// The owner of a deferred call failed.
    case givenUp
  }

  enum Cancellation {
    case never
    /// Cancellation may arrive at any moment.
    case possible
    /// The call is canceled, and the withdrawal of its ticket is about to follow.
    case handlerPending
    case happened
  }

  /// Whether the call may have to give way to another wait that closes a cycle of stores.
  enum Revocation {
    case never
    /// May happen while the call waits behind actions that can suspend.
    case possible
    case happened
  }

  let kind: Kind
  var step = Step.call
  var cancellation: Cancellation
  var revocation = Revocation.never
  /// Whether it currently waits across stores.
  var isNoted = false
  var isCancelled = false
  var handlerInstalled = false
  var ticket = TicketNumber()
  /// The second ticket of an overlapping action.
  var ticketToCommit: TicketNumber?
  var wasDeferred = false
  /// The caller that owns a deferred call.
  var owner: Int?
  var began = false

  var waits: Bool { step == .parked || step == .held }
}

/// Several callers of one store, in one of the states that their steps can reach.
struct VirtualWorld: VirtualThreads {
  var turns = TurnQueueStateMachine<Int, Int, Int>()
  var callers: [VirtualCaller]
  var begun: [TicketNumber] = []
  var closedAt: TicketNumber?
  var lastTicket = TicketNumber()
  /// A description of the broken rule, or `nil` if there is none.
  var violation: String?

  /// A step that is possible now.
  enum Move {
    case caller(Int)
    case cancel(Int)
    case revoke(Int)
  }

  var moves: [Move] {
    callers.indices.flatMap { index -> [Move] in
      var moves: [Move] = []
      switch callers[index].step {
      case .parked, .held, .owned, .done: break
      // A call cannot remove a handler that is about to run, so it waits for the handler.
      case .givesWay where callers[index].cancellation == .handlerPending: break
      default: moves.append(.caller(index))
      }
      if callers[index].revocation == .possible && callers[index].isNoted { moves.append(.revoke(index)) }
      switch callers[index].cancellation {
      case .possible, .handlerPending: moves.append(.cancel(index))
      case .never, .happened: break
      }
      return moves
    }
  }

  var isFinished: Bool {
    callers.allSatisfy { if case .done = $0.step { true } else { false } }
  }

  mutating func take(_ move: Move) {
    switch move {
    case .caller(let index): step(index)
    case .cancel(let index): cancel(index)
    case .revoke(let index): revoke(index)
    }
    check()
  }

  private mutating func step(_ index: Int) {
    let caller = callers[index]
    switch caller.step {
    case .call: call(index)
    case .install:
      callers[index].handlerInstalled = true
      if caller.isCancelled { resume(turns.withdraw(caller.ticket), with: false) }
      callers[index].step = .park
    case .hold:
      switch turns.park(caller.ticket, index) {
      case .run, .withdrawn: callers[index].step = .park
      case .wait: callers[index].step = .held
      case .deferred: violation = "a ticket for which no call waits had to give way"
      }
    case .own:
      if let owner = caller.owner, turns.own(index, in: 0, callers[owner].ticket, overlapping: nil) == .owned {
        callers[index].step = .owned
      } else {
        callers[index].owner = nil
        callers[index].step = .hold
      }
    case .park:
      switch turns.park(caller.ticketToCommit ?? caller.ticket, index) {
      case .run:
        callers[index].isNoted = false
        callers[index].step = .begin
      case .wait: callers[index].step = .parked
      case .withdrawn: finish(index, .cancelled)
      case .deferred: callers[index].step = .givesWay
      }
    case .givesWay: giveWay(index)
    case .begin:
      if let ticket = caller.ticketToCommit {
        turns.begin(ticket, in: .running)
        turns.endOverlapping(caller.ticket, committingWith: ticket)
        callers[index].step = .end
      } else if caller.isCancelled {
        decide(turns.deferred.take(of: caller.ticket), isCommitted: false)
        handedOff(turns.handOff(caller.ticket))
        finish(index, .cancelled)
      } else {
        if caller.kind.saysThatItBegins {
          turns.begin(caller.ticket, in: caller.kind.editsInPlace ? .applying : .running)
        }
        begin(index)
      }
    case .start:
      handedOff(turns.startOverlapping(caller.ticket, Overlapping(label: .text("call"), turn: .none)))
      callers[index].step = .overlaps
    case .overlaps: comeBack(index)
    case .end: end(index)
    case .handOff:
      handOff(index)
    case .parked, .held, .owned, .done: violation = "a waiting caller took a step"
    }
  }

  private mutating func call(_ index: Int) {
    let kind = callers[index].kind
    switch kind {
    case .close:
      turns.close()
      closedAt = closedAt ?? lastTicket
      finish(index, .ended)
    case .read:
      if turns.isReadable {
        finish(index, .read(revision: turns.revision))
      } else {
        turns.park(reader: index)
        callers[index].step = .parked
      }
    default:
      // Canceling the sender does not cancel a sent action.
      if callers[index].isCancelled && kind != .sent { return finish(index, .cancelled) }
      let phase: TurnPhase = kind == .mutationHere ? .applying : .granted
      switch turns.take(
        .text("call"), canSuspend: kind.canSuspend, startingIn: phase, isNested: { _ in kind == .nested })
      {
      case .closed:
        if closedAt == nil { violation = "closed before close" }
        finish(index, .closed)
      case .run(let ticket):
        took(ticket, index)
        if kind == .mutationHere { begin(index) } else { callers[index].step = .begin }
      case .deferred(let ticket, let place):
        // No call is nested in a mutation, or in the start or the commit of an overlapping action.
        callers[index].owner = callers.firstIndex { $0.ticket == turns.holder?.ticket && $0.kind.canSuspend }
        took(ticket, index)
        checkLength(place.ahead)
        callers[index].wasDeferred = true
        // The caller has continued. The deferred action runs in its own task, which is never canceled.
        callers[index].cancellation = .never
        callers[index].step = .own
      case .wait(let ticket, let place):
        checkLength(place.ahead)
        if kind == .sent { return took(ticket, index, next: .hold) }
        let isBrief = place.waiting != .forActions
        callers[index].isNoted = !isBrief
        took(ticket, index)
        if isBrief && queuedAhead(of: index).contains(where: \.kind.canSuspend) {
          violation = "a wait behind an action that can suspend was called brief"
        }
        callers[index].step = isBrief ? .park : .install
      }
    }
  }

  /// Checks the number of waiters that a call found.
  private mutating func checkLength(_ ahead: UInt32) {
    if Int(ahead) != turns.queuedCount - 1 { violation = "a call found \(ahead) waiters, not \(turns.queuedCount - 1)" }
  }

  private func queuedAhead(of index: Int) -> [VirtualCaller] {
    callers.enumerated().filter { other, caller in
      if case .done = caller.step { return false }
      return other != index && caller.ticket != TicketNumber() && caller.ticket < callers[index].ticket
        && !(caller.isCancelled && !caller.began)
    }.map(\.element)
  }

  private mutating func took(_ ticket: TicketNumber, _ index: Int, next step: VirtualCaller.Step? = nil) {
    callers[index].ticket = ticket
    if let step { callers[index].step = step }
    if !(lastTicket < ticket) { violation = "tickets do not increase" }
    if closedAt != nil { violation = "a ticket was issued after close" }
    lastTicket = ticket
  }

  private mutating func begin(_ index: Int) {
    if let last = begun.last, !(last < callers[index].ticket) { violation = "out of ticket order" }
    begun.append(callers[index].ticket)
    callers[index].began = true
    callers[index].step = callers[index].kind == .overlapping ? .start : .end
  }

  private mutating func comeBack(_ index: Int) {
    if turns.blocker(of: callers[index].ticket) != turns.holder?.ticket { violation = "does not overlap" }
    switch turns.take(
      .text("call"), canSuspend: false, startingIn: .running, isReturning: true, isNested: { _ in false })
    {
    case .run(let ticket):
      callers[index].ticketToCommit = ticket
      callers[index].step = .begin
    case .wait(let ticket, let place):
      callers[index].ticketToCommit = ticket
      callers[index].isNoted = place.waiting == .forActions
      callers[index].step = .park
    case .deferred, .closed:
      violation = "an action that had begun could not commit"
    }
    lastTicket = callers[index].ticketToCommit ?? lastTicket
  }

  private mutating func end(_ index: Int) {
    let caller = callers[index]
    if caller.kind.isGuarded {
      callers[index].step = .handOff
      if caller.kind != .vetoedMutation {
        if turns.commitIfAlone(caller.ticket, keepingTurn: true) { return }
        turns.advanceRevision(caller.ticket)
      }
      answer(turns.stopApplying(caller.ticket))
    } else if caller.kind != .failingAction, turns.commitIfAlone(caller.ticketToCommit ?? caller.ticket) {
      finish(index, .committed)
    } else if caller.kind.editsInPlace {
      switch turns.endApplying(caller.ticket) {
      case .handedOff(let next):
        handedOff(next)
        finish(index, .committed)
      case .answer(let readers):
        answer(readers)
        callers[index].step = .handOff
      }
    } else if let ticket = caller.ticketToCommit {
      turns.advanceRevision(ticket)
      callers[index].step = .handOff
    } else {
      if caller.kind != .failingAction { turns.advanceRevision(caller.ticket) }
      callers[index].step = .handOff
    }
  }

  /// Hands off the turn of an action that owns no calls, or else decides about its calls and tries again.
  private mutating func handOff(_ index: Int) {
    let caller = callers[index]
    let ticket = caller.ticketToCommit ?? caller.ticket
    let isCommitted = caller.kind.commits
    if !turns.freeIfNoneWaits(ticket) {
      switch turns.endTurn(ticket) {
      case .decide(let calls): return decide(calls, isCommitted: isCommitted)
      case .handedOff(let next): handedOff(next)
      }
    }
    finish(index, isCommitted ? .committed : .failed)
  }

  private mutating func answer(_ readers: [Int]) {
    for reader in readers {
      if callers[reader].step != .parked { violation = "a read was answered twice" }
      finish(reader, .read(revision: turns.revision))
    }
  }

  private mutating func cancel(_ index: Int) {
    if callers[index].cancellation == .possible {
      callers[index].isCancelled = true
      // Canceling a ticket withdraws it, whether or not the call already waits.
      let givesUp = callers[index].handlerInstalled || callers[index].kind == .sent
      callers[index].cancellation = givesUp ? .handlerPending : .happened
    } else {
      callers[index].cancellation = .happened
      resume(turns.withdraw(callers[index].ticket), with: false)
    }
  }

  private mutating func revoke(_ index: Int) {
    let ticket = callers[index].ticketToCommit ?? callers[index].ticket
    callers[index].revocation = .happened
    guard let waiter = turns.revoke(ticket) else { return }
    if waiter != index || callers[index].step != .parked { violation = "made another call give way" }
    callers[index].step = .givesWay
  }

  /// Makes the call return, while another task waits with its ticket.
  private mutating func giveWay(_ index: Int) {
    let ticket = callers[index].ticketToCommit ?? callers[index].ticket
    callers[index].isNoted = false
    if !turns.endRevocation(ticket) {
      if !callers[index].isCancelled { violation = "lost its ticket" }
      return finish(index, .cancelled)
    }
    callers[index].cancellation = .never
    callers[index].wasDeferred = true
    // From here on, canceling the caller does not cancel the action.
    callers[index].isCancelled = false
    callers[index].step = callers[index].ticketToCommit == nil ? .hold : .park
  }

  /// Lets the deferred calls of an action that ends run, or gives them up.
  private mutating func decide(_ calls: [Int], isCommitted: Bool) {
    for call in calls {
      if callers[call].step != .owned { violation = "settled a call that did not wait for its owner" }
      if isCommitted {
        callers[call].step = .hold
      } else {
        if !turns.giveUp(callers[call].ticket) { violation = "gave up a call that has the turn" }
        finish(call, .givenUp)
      }
    }
  }

  /// After a hand-off, resumes the new holder, if it is parked, and the waiter to wake ahead.
  private mutating func handedOff(_ next: Resumption<Int>?) {
    resume(next?.waiter, with: true)
    guard let early = turns.wakeAhead()?.waiter else { return }
    if !callers[early].waits { violation = "woke a caller that was not parked" }
    if queuedAhead(of: early).contains(where: { $0.ticket != turns.holder?.ticket && !$0.began }) {
      violation = "woke a caller that is not next"
    }
    callers[early].step = .park
  }

  private mutating func resume(_ index: Int?, with hasTurn: Bool) {
    guard let index else { return }
    if !callers[index].waits { violation = "resumed a caller that was not parked" }
    // A task that starts determines the reason for itself.
    if callers[index].step == .held { return callers[index].step = .park }
    callers[index].isNoted = false
    if hasTurn { callers[index].step = .begin } else { finish(index, .cancelled) }
  }

  private mutating func finish(_ index: Int, _ end: VirtualCaller.End) {
    callers[index].step = .done(end)
  }

  private mutating func check() {
    let running = callers.filter { $0.step == .start || $0.step == .end || $0.step == .handOff }
    if running.count > 1 { violation = "two actions ran at once" }
    if running.count == 1, turns.holder?.ticket != running[0].ticketToCommit ?? running[0].ticket {
      violation = "ran without the turn"
    }
    if turns.holder == nil, !turns.queuedLabels.isEmpty { violation = "a call waits although no action has the turn" }
    let committed = callers.count {
      $0.step == .done(.committed) || ($0.step == .handOff && $0.kind.commits)
    }
    if turns.revision != UInt64(committed) { violation = "revision is not the number of commits" }
    for caller in callers where caller.began && caller.step == .done(.cancelled) {
      violation = "canceled after it had begun"
    }
    for caller in callers {
      guard let owner = caller.owner.map({ callers[$0] }) else { continue }
      if caller.began && owner.step != .done(.committed) { violation = "a deferred call ran without its owner" }
      if caller.step == .done(.givenUp) && (owner.step == .end || owner.step == .done(.committed)) && owner.began {
        if owner.kind != .failingAction { violation = "a deferred call was given up although its owner committed" }
      }
    }
    for caller in callers where !caller.began {
      if caller.step == .done(.committed) { violation = "committed without running" }
    }
  }
}
