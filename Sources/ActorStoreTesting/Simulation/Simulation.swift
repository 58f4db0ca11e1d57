/// Runs code under many schedules, one task at a time, and reports the first schedule under which it fails.
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
/// At each suspension, at each call to a store or an atom, and at each ``point()``, a simulation chooses the next task,
/// by default from a seed. The same seed produces the same run, if the body depends only on the schedule. A simulation
/// proves deadlocks, within the limits of ``Verdict/deadlock``. It finds errors that depend on the order of tasks at
/// these points, but no other races between threads. Stores and other code that stays inside the simulation need no
/// changes. See <doc:FindingTheSchedule>.
public enum Simulation {}
