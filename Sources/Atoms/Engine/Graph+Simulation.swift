import ActorStore
import AtomThread
import CurrentTask

/// Points at which a simulation can let another task run.
///
/// The calls that read, set, or use atoms are synchronous, so a simulation needs them to say where another thread could
/// act. No point is under a lock.
extension Graph {
  /// Whether the current thread runs a simulation.
  @inline(__always)  // HP13
  static var isSimulated: Bool { unsafe simulation_hooks() != nil }

  /// Lets another task run before a call that reads or changes the graph.
  @inline(__always)  // HP13
  func point(isWrite: Bool = true) {
    if Self.isSimulated { simulatedPoint(isWrite: isWrite) }
  }

  @inline(never)  // HP13
  private func simulatedPoint(isWrite: Bool) {
    guard let hooks = SimulationHooks.ofThread else { return }
    hooks.point()
    hooks.touch(UInt64(UInt(bitPattern: ObjectIdentifier(self))), isWrite)
  }

  /// Adds a line to the report of a simulation.
  @inline(__always)  // HP13
  func note(_ text: @autoclosure () -> String) {
    if Self.isSimulated, let note = SimulationHooks.ofThread?.note { note(text()) }
  }

  /// The text of a value in memory.
  static func describe(_ value: ValueSlot, in cell: Cell) -> String {
    "\(cell.anyValue(of: cell.makeBox(of: value)))"
  }

  /// Lets other threads run, in a loop that waits for one of them.
  static func yield() {
    if let hooks = SimulationHooks.ofThread { hooks.yield() } else { atom_thread_yield() }
  }
}
