/// Faults that tests plant to verify that they would find them.
///
/// A release build has none.
package struct GraphFaults: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A read returns the newest value of a source instead of the one at the pinned revision.
  package static let readNewest = GraphFaults(rawValue: 1)
  /// A value that was valid for one revision becomes clean, without a look at what it read.
  package static let settleUnchecked = GraphFaults(rawValue: 2)
  /// A transaction commits even if something it read has changed.
  package static let commitUnchecked = GraphFaults(rawValue: 4)
  /// A watched node is not checked again after a delivery.
  package static let deliverOnce = GraphFaults(rawValue: 8)
  /// A set makes its revision visible before it marks the dependents.
  package static let markLate = GraphFaults(rawValue: 16)
  /// A run that ends overwrites a mark that arrived meanwhile.
  package static let loseMark = GraphFaults(rawValue: 32)
  /// A run that began before an injection publishes its result.
  package static let undoInjection = GraphFaults(rawValue: 64)
  /// A value is dropped although an evaluation may compare it.
  package static let dropClaimed = GraphFaults(rawValue: 128)
  /// A use ends in the store that is current where its wrapper dies, and not where it began.
  package static let endElsewhere = GraphFaults(rawValue: 256)
  /// A store drops a member of a family that it needs.
  package static let loseMember = GraphFaults(rawValue: 512)
  /// A run that is not the newest sets the value.
  package static let staleRunWins = GraphFaults(rawValue: 1024)
  /// The state before the result of a run is the last result, and not loading.
  package static let loadLate = GraphFaults(rawValue: 2048)
  /// What a run reads does not become a dependency.
  package static let loseRestart = GraphFaults(rawValue: 4096)
  /// A new run does not cancel the former one.
  package static let keepFormerRun = GraphFaults(rawValue: 8192)
  /// A release does not cancel a run.
  package static let keepTimer = GraphFaults(rawValue: 16384)
  /// A derivation looks at observable objects once, and not twice.
  package static let lookOnce = GraphFaults(rawValue: 32768)
  /// An injection does not wake the tasks that wait for a result.
  package static let keepWaiting = GraphFaults(rawValue: 65536)
  /// An injection ends when a value that its closure has read changes.
  package static let forgetInjection = GraphFaults(rawValue: 131072)
  /// A pin loses the result of a run that became invalid and is valid again.
  package static let loseResult = GraphFaults(rawValue: 262144)
}
