import ActorStore
import Atoms

/// The bank, and its three followers: a report guard, a logger, and a stream of transitions.
///
/// Each follower must get every commit and every deposit.
struct ChaosAudit: Sendable {
  /// The commits and deposits that a follower received.
  struct Ledger: Equatable, Sendable, CustomStringConvertible {
    /// The revisions of the commits, without those of members, which have none of their own.
    var revisions: [UInt64] = []
    var deposits = 0
    var problems: [String] = []

    mutating func add(_ outcome: ReportedOutcome.Kind, _ revision: UInt64?, isMember: Bool, isDeposit: Bool) {
      if outcome != .committed { problems.append("\(outcome)") }
      if isDeposit { deposits += 1 }
      if let revision, !isMember { revisions.append(revision) }
    }

    var description: String {
      let misplaced = revisions.enumerated().first { $0.element != $0.offset + 1 }?.element
      return "\(revisions.count) commits, \(deposits) deposits, "
        + "\(misplaced.map { "revision \($0) misplaced" } ?? "revisions in order"), problems \(problems.prefix(3))"
    }
  }

  /// A ledger to which any thread adds.
  private final class SharedLedger: Sendable {
    private let ledger = Locked(Ledger())

    var now: Ledger { ledger.withLock { $0 } }

    func edit(_ body: (inout Ledger) -> Void) { ledger.withLock { body(&$0) } }
  }

  private struct Listener: ReportGuard {
    let ledger: SharedLedger

    func didEnd<A: Action<ChaosBank>>(_ action: A, report: ActionReport<ChaosBank>) {
      ledger.edit {
        $0.add(
          report.outcome.kind, report.revision, isMember: report.member != nil, isDeposit: A.self == ChaosDeposit.self)
      }
    }
  }

  let bank: Store<ChaosBank>
  private let reported = SharedLedger()
  private let logged = SharedLedger()
  private let streamed: Task<Ledger, Never>

  init() {
    let sink = LogSink { [logged] record in
      logged.edit {
        $0.add(
          record.outcome, record.revision, isMember: record.member != nil, isDeposit: record.label == "ChaosDeposit")
        if record.dropped > 0 { $0.problems.append("\(record.dropped) dropped") }
      }
    }
    bank = Store(ChaosBank(), guards: [Listener(ledger: reported), ActionLogger(to: sink)], name: "bank")
    let transitions = bank.transitions()
    streamed = Task.detached {
      var (ledger, last) = (Ledger(), ChaosBank())
      for await transition in transitions {
        if transition.new.twice != 2 * transition.new.count { ledger.problems.append("\(transition.new)") }
        if let old = transition.old, let action = transition.action {
          if old != last { ledger.problems.append("expected the old state \(last), saw \(old)") }
          ledger.add(.committed, transition.revision, isMember: false, isDeposit: action is ChaosDeposit)
          ledger.deposits += transition.members.count { $0 is ChaosDeposit }
        }
        last = transition.new
      }
      return ledger
    }
  }

  /// Returns whether the reports or the records of this many commits have yet to arrive.
  func isWaiting(for commits: Int) -> Bool {
    min(reported.now.revisions.count, logged.now.revisions.count) < commits
  }

  /// Waits for the end of the stream, and returns each follower's ledger.
  func ledgers() async -> [(follower: String, ledger: Ledger)] {
    var reported = reported.now
    // Reports may arrive in any order.
    reported.revisions.sort()
    return [("reports", reported), ("records", logged.now), ("transitions", await streamed.value)]
  }
}
