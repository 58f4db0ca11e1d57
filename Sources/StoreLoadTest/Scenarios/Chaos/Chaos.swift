import Foundation

/// Random operations of many kinds on random graphs of atoms, in several threads.
///
/// Each thread recomputes the values that it reads with plain formulas. At each pause, all atoms, deliveries, and totals
/// are checked in the same way. At the end, each follower of a `Store` must have every commit.
enum Chaos {
  static let scenario = Scenario(
    name: "chaos", summary: "random operations on random graphs of atoms of all types, recomputed by plain formulas",
    sizes: [.tasks, .dispatches]
  ) { [`case`($0)] }

  /// The same with a wrong formula, which the checker must notice.
  static let planted = Scenario(
    name: "planted-chaos", summary: "a wrong formula, which the load test must notice", sizes: [.tasks, .dispatches],
    isOptional: true
  ) { [`case`($0, isWrong: true)] }

  private static let small = 200_000
  private static let full = 5_000_000
  private static let perPhase = 2_500
  private static let phases = 2

  private static func `case`(_ options: Options, isWrong: Bool = false) -> Case {
    let threads = options.tasks ?? 4
    let isSmall = options.isQuick || options.scenarios.isEmpty
    let count = options.dispatches ?? (isSmall ? small : full)
    return Case(name: "\(threads) threads", weight: 3, limit: .longest(seconds: 2)) { bench in
      await run(bench, count, threads: threads, isWrong: isWrong)
    }
  }

  private static func run(_ bench: Bench, _ count: Int, threads: Int, isWrong: Bool) async -> Figures {
    let executors = (0..<threads).map { _ in OwnThread() }
    defer { for executor in executors { executor.end() } }
    var (counts, number, times) = (ChaosCounts(), 0, [Double]())
    while counts.total < count {
      // Different seeds of the command line give different graphs.
      let seed = bench.seed &* 1_000_003 &+ UInt64(number)
      let left = (count - counts.total + phases * threads - 1) / (phases * threads)
      var world = ChaosWorld(number, threads: threads, seed: seed, isWrong: isWrong, bench)
      await world.prepare()
      let start = now()
      for _ in 0..<phases {
        await world.run(min(perPhase, left), on: executors)
        await world.settle()
      }
      let done = await world.end()
      times.append(Double(now() - start) / Double(done.total))
      counts.add(done)
      number += 1
    }
    if count >= small {
      bench.expect("kinds without operations", counts.kinds.filter { $0.operations == 0 }.map(\.name), [])
    }
    return Figures(
      operations: counts.total, nanoseconds: Spread(times), latencies: counts.latencies, kinds: counts.kinds)
  }
}
