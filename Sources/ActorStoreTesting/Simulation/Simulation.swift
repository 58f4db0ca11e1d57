/// Runs code under many schedules on one thread, and reports the first schedule under which it fails.
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
/// A simulation chooses the next task at each suspension, from a seed. The same seed produces the same run. A
/// simulation proves deadlocks, within the limits of ``Verdict/deadlock``. It finds errors between suspensions, but not
/// races of two threads inside a lock. Stores need no changes, and neither does other code that stays inside the
/// simulation. See <doc:FindingTheSchedule>.
public enum Simulation {}
