/// Runs code under many schedules on one thread, and reports the first under which it goes wrong.
///
/// ```swift
/// @Test func transfersKeepTheTotal() throws {
///   try Simulation.explore {
///     let bank = Store(Bank())
///     await withTaskGroup { group in
///       for _ in 0..<3 { group.addTask { await bank.dispatch(Transfer()) } }
///     }
///     try Simulation.expect(await bank.state.total == 100, "money was lost")
///   }
/// }
/// ```
///
/// A simulation chooses the next task at each suspension, from a seed. The same seed makes the same run. A deadlock is
/// proven, not timed out. A simulation finds errors between suspensions, not races of two threads inside a lock. Stores
/// need no change, and neither does other code, as long as it stays inside. See <doc:FindingTheSchedule>.
public enum Simulation {}
