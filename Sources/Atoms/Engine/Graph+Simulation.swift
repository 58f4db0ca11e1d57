import ActorStore
import CurrentTask

/// Points at which a simulation can let another task run.
///
/// The calls that read, set, or use atoms are synchronous, so they must tell the simulation where another thread could
/// act. The calling thread holds no lock of the graph at a point.
extension Graph {
  /// Whether the current thread runs a simulation.
  @inline(__always)  // HP13
  static var isSimulated: Bool { simulation_is_here() }

  /// Lets another task run before a call that reads or changes the graph.
  @inline(__always)  // HP13
  func point(isWrite: Bool = true) {
    if Self.isSimulated { simulatedPoint(isWrite: isWrite) }
  }

  /// Lets another task run before a call, and then adds a line about the call to the report of a simulation.
  @inline(__always)  // HP13
  func point(_ text: @autoclosure () -> String, isWrite: Bool = true) {
    point(isWrite: isWrite)
    note(text())
  }

  @inline(never)  // HP13
  private func simulatedPoint(isWrite: Bool) {
    guard let hooks = SimulationHooks.ofThread else { return }
    hooks.scheduler.point(before: .unknown)
    hooks.touch(self, isWrite: isWrite, isHeld: true)
  }

  /// Tells a simulation that the current step reads or changes the graph.
  @inline(__always)  // HP13
  func touch(isWrite: Bool = true) {
    if Self.isSimulated { SimulationHooks.ofThread?.touch(self, isWrite: isWrite, isHeld: true) }
  }

  /// Adds a line to the report of a simulation.
  @inline(__always)  // HP13
  func note(_ text: @autoclosure () -> String) {
    if Self.isSimulated { SimulationHooks.ofThread?.note(text()) }
  }

  /// Adds a line about an atom to the report of a simulation, with the text of a value in memory.
  @inline(__always)  // HP13
  func note(_ verb: StaticString, _ cell: Cell, _ separator: StaticString, _ value: ValueSlot) {
    if Self.isSimulated { noteValue("\(verb) ", cell, "\(separator) ", value) }
  }

  @inline(never)  // HP13
  private func noteValue(_ verb: String, _ cell: Cell, _ separator: String, _ value: ValueSlot) {
    if cell.definition.isHidden { return }
    SimulationHooks.ofThread?.note(
      verb + cell.definition.label + separator + Dump.line(of: cell.anyValue(of: cell.makeBox(of: value))))
  }

  /// Lets other threads run, in a loop that waits for one of them.
  static func yield() {
    if let hooks = SimulationHooks.ofThread { hooks.scheduler.yield() } else { yield_thread() }
  }
}
