/// Decides whether to wake the next waiter before its turn, based on recent results.
///
/// Waking ahead never pays behind suspending actions. Behind other actions, it usually does. After several waiters in a
/// row wake in vain, the policy wakes only every sixteenth one ahead, until one of those does not wake in vain.
struct WakeAheadPolicy: Hashable, Sendable {
  /// The number of consecutive waiters that woke in vain, up to `patience`.
  private var inVain: UInt8
  /// The number of remaining hand-offs that wake no waiter ahead.
  private var pause: UInt8 = 0

  init(inVain: UInt8 = 0) {
    self.inVain = inVain
  }

  /// The number of waiters in a row that may wake in vain before the policy pauses.
  private static var patience: UInt8 { 4 }
  private static var longPause: UInt8 { 15 }

  /// After a hand-off with waiters left, decides whether to wake the next one.
  mutating func takeChance() -> Bool {
    if pause == 0 { return true }
    pause -= 1
    return false
  }

  /// Records that a waiter that was woken ahead has received its turn.
  ///
  /// If the waiter waits again, it woke in vain.
  mutating func turnArrived(isStillWaiting: Bool) {
    guard isStillWaiting else {
      inVain = 0
      return
    }
    if inVain < Self.patience { inVain += 1 }
    if inVain == Self.patience { pause = Self.longPause }
  }
}
