/// Whether it pays to wake who is next before its turn has come: judged by how it went the last times.
///
/// Behind actions that really suspend it never does; behind those that do not it does most of the time. Once several
/// came in vain, one after the other, only every sixteenth is woken early, until one of those did not come in vain.
struct WakeAheadPolicy: Hashable, Sendable {
  /// Who was woken early last and has not had its turn; no ticket has the number it begins with.
  private var woken = TicketNumber()
  /// How many came in vain, one after the other, as far as that matters.
  private var inVain: UInt8
  /// How many turns are to be handed on before the next is woken early.
  private var pause: UInt8 = 0

  init(inVain: UInt8 = 0) {
    self.inVain = inVain
  }

  /// How many have to come in vain before that is taken for the rule.
  private static var patience: UInt8 { 4 }
  private static var longPause: UInt8 { 15 }

  /// The turn was handed on, and somebody waits: says whether to wake who comes next.
  mutating func takeChance() -> Bool {
    if pause == 0 { return true }
    pause -= 1
    return false
  }

  mutating func woke(_ ticket: TicketNumber) {
    woken = ticket
  }

  /// The turn came to a ticket; if that was woken early and waits again, it was in vain.
  mutating func turnCame(to ticket: TicketNumber, isStillWaiting: Bool) {
    guard ticket == woken else { return }
    woken = TicketNumber()
    guard isStillWaiting else {
      inVain = 0
      return
    }
    if inVain < Self.patience { inVain += 1 }
    if inVain == Self.patience { pause = Self.longPause }
  }
}
