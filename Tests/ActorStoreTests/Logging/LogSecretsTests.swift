import Testing

@testable import ActorStore

/// Types choose what a log shows of them.
@Suite struct LogSecretsTests {
  struct Password: Sendable, Equatable, CustomReflectable {
    var text: String
    var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  /// Its description is not used, because it may reveal a secret.
  struct Denied: Error, CustomStringConvertible {
    let tried: Password
    var description: String { tried.text }
  }

  struct Account: Sendable {
    var name = "Ann"
    var password = Password(text: "hunter1")
    var old: [Password] = []
  }

  struct ChangePassword: Mutation, CustomStringConvertible {
    let to: Password
    func run(_ account: inout Account) { account.password = to }
    var description: String { "change to \(to.text)" }
  }

  @Test func secretsAreNotWritten() {
    let list = RecordList()
    let logger = ActionLogger<Account>(to: LogSink(list.append))
    let action = ChangePassword(to: Password(text: "hunter2"))
    let denied = ReportedOutcome.failed(Denied(tried: action.to))
    let new = Account(password: action.to, old: [Password(text: "hunter1")])
    logger.didEnd(action, report: .end(1, from: Account(), to: new))
    logger.didEnd(action, report: .end(1, denied))
    logger.didEnd(group: action, report: GroupReport(outcome: denied, isSent: false, ran: nil))
    let text = list.all.map { $0.text(.lines) }.joined(separator: "\n")
    #expect(list.all.count == 3 && !text.contains("hunter"))
    #expect(text.contains("ChangePassword(to: Password()) committed"))
    #expect(text.contains("!   not equal, though they look the same"))
    #expect(text.contains(": Denied(tried: Password())"))
  }
}
