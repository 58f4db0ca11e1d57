import Foundation
import Synchronization
import Testing

/// Runs an async body on one thread under a chosen schedule, by means of a task executor (SE-0417).
///
/// Everything that keeps the executor preference of its creator is captured: child tasks, actors, wake-ups, and the
/// tasks the library starts. A bare `Task {}` or `Task.detached` in a body would leave, so bodies start tasks with
/// `inheritingTask`.
final class Simulation: TaskExecutor, @unchecked Sendable {
  enum Schedule {
    case fifo
    case random(seed: UInt64)
    /// The choices of an earlier run; first come, first served past their end.
    case replay([Int])
  }

  enum Verdict: Equatable {
    case finished
    /// Nothing can run and the body has not ended: proven, no timeout is involved.
    case deadlock
    case stepLimit
    /// Another thread took part, so the schedule is not the simulation's.
    case escaped
  }

  struct Run {
    let verdict: Verdict
    /// Which of the ready jobs was taken, for each step that had a choice.
    let choices: [Int]
    let steps: Int
  }

  // The invariant behind `@unchecked`: all but `foreign` is touched on the owner's thread only.
  private let owner = pthread_self()
  private let foreign = Mutex<[UnownedJob]>([])
  private var ready: [UnownedJob] = []
  private var isFinished = false
  private var choices: [Int] = []
  private var random: SplitMix64
  private var script: ArraySlice<Int> = []
  private let choosesAtRandom: Bool

  private init(_ schedule: Schedule) {
    switch schedule {
    case .fifo: (random, choosesAtRandom) = (SplitMix64(0), false)
    case .random(let seed): (random, choosesAtRandom) = (SplitMix64(seed), true)
    case .replay(let choices): (random, choosesAtRandom, script) = (SplitMix64(0), false, choices[...])
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if pthread_equal(pthread_self(), owner) != 0 {
      ready.append(job)
    } else {
      foreign.withLock { $0.append(job) }
    }
  }

  static func run(_ schedule: Schedule, maxSteps: Int = 1_000_000, _ body: @escaping @Sendable () async -> Void) -> Run
  {
    let simulation = Simulation(schedule)
    Task(executorPreference: simulation) {
      await body()
      simulation.isFinished = true
    }
    return simulation.drain(maxSteps)
  }

  private func drain(_ maxSteps: Int) -> Run {
    var steps = 0
    while !ready.isEmpty, steps < maxSteps {
      steps += 1
      ready.remove(at: choose()).runSynchronously(on: asUnownedTaskExecutor())
    }
    let verdict: Verdict =
      if foreign.withLock({ !$0.isEmpty }) { .escaped } else if !ready.isEmpty { .stepLimit } else {
        isFinished ? .finished : .deadlock
      }
    return Run(verdict: verdict, choices: choices, steps: steps)
  }

  private func choose() -> Int {
    guard ready.count > 1 else { return 0 }
    let choice = choosesAtRandom ? random.below(ready.count) : min(script.popFirst() ?? 0, ready.count - 1)
    choices.append(choice)
    return choice
  }
}

/// Runs a body under many schedules; its result is what went wrong, nil if nothing did.
///
/// A failure is reported with the choices that replay it.
func explore(
  schedules: Int = 300,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async -> String?
) {
  for index in 0..<schedules {
    let problems = Witness<String>()
    let run = Simulation.run(index == 0 ? .fifo : .random(seed: UInt64(index))) {
      if let problem = await body() { problems.saw(problem) }
    }
    let found = run.verdict == .finished ? problems.all.first : "\(run.verdict)"
    if let found {
      Issue.record("schedule \(index): \(found); replay: \(run.choices)", sourceLocation: sourceLocation)
      return
    }
  }
}
