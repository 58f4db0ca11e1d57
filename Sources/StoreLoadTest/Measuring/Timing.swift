import Dispatch

/// Nanoseconds of a clock that does not go back.
@inline(__always)
func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// How long something took, in nanoseconds.
@concurrent
func nanoseconds(_ body: @Sendable () async -> Void) async -> Double {
  let start = now()
  await body()
  return Double(now() - start)
}

/// Something to do between calls: without it the optimiser takes part of a bare actor's call away.
@inline(never)
func work(_ seed: Int, _ rounds: Int) -> Int {
  var value = seed
  for round in 0..<rounds { value = value &* 31 &+ round }
  return value
}

/// Runs `body` in so many tasks at once, each with its share of a count; a single one runs in the current task.
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
