import Dispatch

/// Returns the nanoseconds of a monotonic clock.
@inline(__always)
func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// Returns how long `body` takes, in nanoseconds.
@concurrent
func nanoseconds(_ body: @Sendable () async -> Void) async -> Double {
  let start = now()
  await body()
  return Double(now() - start)
}

/// Does some work between calls.
///
/// Without this work, the optimizer can remove part of each call to a bare actor.
@inline(never)
func work(_ seed: Int, _ rounds: Int) -> Int {
  var value = seed
  for round in 0..<rounds { value = value &* 31 &+ round }
  return value
}

/// Runs `body` in concurrent tasks, each with its share of a count.
///
/// If there is only one task, `body` runs in the current task.
func inTasks(
  _ tasks: Int,
  sharing count: Int,
  _ body: @escaping @Sendable (_ task: Int, _ count: Int) async -> Void
) async {
  if tasks == 1 { return await body(0, count) }
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<tasks {
      let share = count / tasks + (task < count % tasks ? 1 : 0)
      group.addTask { await body(task, share) }
    }
  }
}
