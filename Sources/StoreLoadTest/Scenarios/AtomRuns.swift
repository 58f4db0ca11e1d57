import Atoms

/// Runs of asynchronous atoms, beside bare tasks.
enum AtomRuns {
  /// Starts a run, and waits for its result.
  static let run = Case(name: "async run", weight: 0.8, limit: .ratio(5)) { bench in
    let runs = Tally()
    let atom = AsyncAtom(keepAlive: true) { () -> Int in
      runs.add(1)
      return runs.total
    }
    let tasks = Tally()
    keep(try? await atom.result)
    let figures = await bench.compare(to: taskName) { count in
      await nanoseconds {
        for _ in 0..<count {
          keep(
            await Task {
              tasks.add(1)
              return tasks.total
            }.value)
        }
      }
    } subject: { count in
      await nanoseconds {
        for _ in 0..<count {
          atom.reload()
          keep(try? await atom.result)
        }
      }
    }
    bench.expect("last run", (try? await atom.result) ?? 0, runs.total)
    return figures
  }

  /// Changes the source of many asynchronous atoms, and waits for their results.
  static let many = Case(name: "1000 async atoms", weight: 1.2, limit: .ratio(5)) { bench in
    let source = Atom(0)
    let atoms = (0..<manyCount).map { index in AsyncAtom(keepAlive: true) { source.value &+ index } }
    for atom in atoms { keep(try? await atom.result) }
    let figures = await bench.compare(to: taskName, atLeast: manyCount) { count in
      let rounds = max(1, count / manyCount)
      let elapsed = await nanoseconds {
        for round in 0..<rounds {
          let tasks = (0..<manyCount).map { index in Task { round &+ index } }
          for task in tasks { keep(await task.value) }
        }
      }
      return elapsed * Double(count) / Double(rounds * manyCount)
    } subject: { count in
      let rounds = max(1, count / manyCount)
      let elapsed = await nanoseconds {
        for _ in 0..<rounds {
          source.value &+= 1
          AtomStore.shared.snapshot { for atom in atoms { keep(atom.value) } }
          for atom in atoms { keep(try? await atom.result) }
        }
      }
      return elapsed * Double(count) / Double(rounds * manyCount)
    }
    let last = (try? await atoms[manyCount - 1].result) ?? 0
    bench.expect("last result", last, withExtendedLifetime(atoms) { source.value &+ manyCount &- 1 })
    return figures
  }

  private static let taskName = "Task and its value"
  private static let manyCount = 1_000
}
