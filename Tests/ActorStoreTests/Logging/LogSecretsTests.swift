import Testing

@testable import ActorStore

/// A log shows only the parts that a type has chosen to show.
@Suite struct LogSecretsTests {
  struct Password: Sendable, Equatable, CustomReflectable {
    var text: String
    var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  struct Token: Sendable { var text: String }

  struct Denied: Error { let tried: Token }
  enum Refused: Error { case wrong(Token), late }
  struct Described: Error, CustomStringConvertible {
    let tried: Token
    var description: String { "denied" }
  }

  struct Account: Sendable {
    var name = "Ann"
    var password = Password(text: "hunter1")
    var old: [Password] = []
  }

  struct ChangePassword: Mutation {
    let to: Token
    func run(_ account: inout Account) { account.password.text = to.text }
  }

  struct Rename: Mutation, CustomStringConvertible {
    let to: Token
    func run(_ account: inout Account) {}
    var description: String { "rename" }
  }

  /// An action that shows its contents in place of itself, as `Emit` does.
  struct Wrapper<Content: Sendable>: Mutation, CustomReflectable, CustomStringConvertible {
    let contents: [Content]
    let isOne: Bool
    func run(_ account: inout Account) {}
    var description: String { "\(contents)" }
    var customMirror: Mirror {
      Mirror(self, unlabeledChildren: contents, displayStyle: isOne ? .optional : .collection)
    }
  }

  enum Event: Sendable { case changed(to: Token), closed }

  private let token = Token(text: "hunter2")
  private let list = RecordList()

  private func log(_ action: some Action<Account>, _ outcome: ReportedOutcome = .committed, all: Bool = false) -> String
  {
    let logger = ActionLogger<Account>(to: LogSink(list.append), showsPayloads: all, clock: nil)
    let new = Account(password: Password(text: "hunter2"), old: [Password(text: "hunter1")])
    logger.didEnd(action, report: .end(outcome.kind == .committed ? 1 : 0, outcome, from: Account(), to: new))
    return list.all.last?.text(.lines) ?? ""
  }

  @Test func storedPropertiesAreNotShown() {
    let change = ChangePassword(to: token)
    let texts = [
      log(change), log(Rename(to: token)), log(change, .failed(Denied(tried: token))),
      log(change, .failed(Refused.wrong(token))), log(change, .failed(Described(tried: token))),
      log(Wrapper(contents: [Event.changed(to: token)], isOne: true)),
      log(Wrapper(contents: [Event.changed(to: token), .closed], isOne: false)),
    ]
    for text in texts { #expect(!text.contains("hunter"), "\(text)") }
    let lines = texts.map { $0.prefix { $0 != "\n" } }
    #expect(
      lines == [
        "Account: ChangePassword committed as revision 1, 0 ahead", "Account: rename committed as revision 1, 0 ahead",
        "Account: ChangePassword failed after revision 0, 0 ahead: Denied",
        "Account: ChangePassword failed after revision 0, 0 ahead: .wrong",
        "Account: ChangePassword failed after revision 0, 0 ahead: denied",
        "Account: .changed committed as revision 1, 0 ahead",
        "Account: [.changed, .closed] committed as revision 1, 0 ahead",
      ])
    #expect(texts[0].contains("!   not equal, though they look the same"))
  }

  @Test func groupsAreNamed() {
    let logger = ActionLogger<Account>(to: LogSink(list.append), clock: nil)
    let failure = ReportedOutcome.failed(Denied(tried: token))
    logger.didEnd(group: ChangePassword(to: token), report: GroupReport(outcome: failure, isSent: false, ran: nil))
    #expect(list.lines == ["Account: ChangePassword failed: Denied"])
  }

  @Test func onRequestAllIsShown() {
    #expect(
      log(ChangePassword(to: token), all: true).contains(#"ChangePassword(to: Token(text: "hunter2")) committed"#))
    #expect(log(Wrapper(contents: [Event.changed(to: token)], isOne: true), all: true).contains("hunter2"))
    let failure = ReportedOutcome.failed(Denied(tried: token))
    #expect(log(Rename(to: token), failure, all: true).contains(#": Denied(tried: Token(text: "hunter2"))"#))
  }
}

/// Names, reasons, and descriptions cannot control a terminal or add lines.
@Suite struct PrintedTextTests {
  @Test func controlCharactersAreEscaped() {
    #expect("plain text".printable == "plain text")
    #expect("a\u{1B}[31m\u{9B}b\u{7F}\r\t\n".printable == #"a\u{1B}[31m\u{009B}b\u{7F}\r\t"# + "\n")
    #expect("a\u{202E}b\u{2066}c\u{2028}".printable == #"a\u{202E}b\u{2066}c\u{2028}"#)
    #expect("é 日本 👨‍👩‍👧 \u{00A0}".printable == "é 日本 👨‍👩‍👧 \u{00A0}")
  }

  @Test func oneLine() {
    #expect("one\n  two\r\n\nthree\u{85}four\u{2028}five\n".onOneLine == #"one two three\u{0085}four\u{2028}five"#)
    #expect("  Cart(\n-   a: 1\n+   a: 2\n!   not equal\n  )".onOneLine == "Cart( - a: 1 + a: 2 ! not equal )")
    #expect("a\u{1B}\nb".onOneLine == #"a\u{1B} b"#)
    #expect("".onOneLine == "" && "\n".onOneLine == "")
  }

  private struct Rude: Mutation, CustomStringConvertible {
    func run(_ pantry: inout Pantry) {}
    var description: String { "evil\u{1B}[2J\nroot: committed" }
  }

  private struct RudeError: Error, CustomStringConvertible {
    var description: String { "boom\u{009B}2J\nsecond line" }
  }

  @Test func recordsAndFailures() {
    let list = RecordList()
    let logger = ActionLogger<Pantry>(to: LogSink(list.append), clock: nil)
      .makeGuard(for: GuardedStore(name: .text("name\u{1B}\n"), queue: TurnQueue()))
    let new = Pantry(items: ["\u{1B}\u{9B}"])
    logger?.didEnd(Rude(), report: .end(0, .vetoed(Veto("no\u{1B}\u{7}")), from: Pantry(), to: new))
    for style in [LogStyle.line, .lines, .tree] {
      let text = list.all[0].text(style)
      #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B || $0.value == 7 }, "\(text)")
      #expect(text.hasPrefix(#"name\u{1B} : evil\u{1B}[2J root: committed vetoed after revision 0"#), "\(text)")
    }
    let failure = UnhandledFailure(store: "a\nb", action: "c\u{1B}", error: RudeError())
    #expect(
      failure.description == #"ActorStore: c\u{1B} of a b failed, and no task awaited it: boom\u{009B}2J second line"#)
  }

  @Test func standardErrorGetsPrintableLines() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      writeLineToStandardError("store\u{1B}[2J")
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains(#"store\u{1B}[2J"#))
  }
}
