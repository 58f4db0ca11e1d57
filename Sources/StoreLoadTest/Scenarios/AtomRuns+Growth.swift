import Atoms

extension AtomRuns {
  /// The costs of a run, a read, and a wait, which must not depend on the number of other runs, atoms, and waits.
  static let growth = [
    `case`("runs in flight, last first", { await inFlight($0, $1, Array((0..<$0).reversed())) }),
    `case`(
      "runs in flight, middle first",
      { count, bench in
        await inFlight(count, bench, (0..<count / 2).flatMap { [count / 2 - 1 - $0, count / 2 + $0] })
      }),
    `case`("runs await one result", results), cancellations, read,
  ]

  private static let small = 1_000
  private static let large = 10_000

  /// Compares the time for one of many with the time for one of few.
  ///
  /// Everything happens on one thread, because threads that compete for the lock would vary the times more than the
  /// number does.
  private static func `case`(
    _ name: String, _ load: @escaping @Sendable @concurrent (_ count: Int, _ bench: Bench) async -> Double
  ) -> Case {
    Case(name: "\(large) \(name)", weight: 0.6, limit: .ratio(2)) { bench in
      await bench.compare(to: "\(small) of them", atLeast: large, atMost: large) { count in
        var elapsed = 0.0
        for _ in 0..<count / small { elapsed += await onOneThread { await load(small, bench) } }
        return elapsed
      } subject: { count in
        await onOneThread { await load(count, bench) }
      }
    }
  }

  private static func onOneThread(_ load: @Sendable () async -> Double) async -> Double {
    let thread = OwnThread()
    defer { thread.end() }
    return await withTaskExecutorPreference(thread) { await AtomStore().callAsCurrent { await load() } }
  }

  /// Starts runs that each read at a revision of their own, and ends them in some order.
  @concurrent
  private static func inFlight(_ count: Int, _ bench: Bench, _ order: [Int]) async -> Double {
    let (source, number) = (Atom(0, keepAlive: true), Atom(1, keepAlive: true))
    let gates = (0..<count).map { _ in AsyncStream<Void>.makeStream() }
    let atoms = gates.map { gate in
      AsyncAtom(keepAlive: true) { () -> Int in
        let read = number.value
        for await _ in gate.stream {}
        return read
      }
    }
    let sum = Tally()
    let elapsed = await nanoseconds {
      for index in 0..<count {
        keep(atoms[index].value)
        // The run reads.
        await Task.yield()
        source.value = index
      }
      for index in order {
        gates[index].continuation.finish()
        sum.add((try? await atoms[index].result) ?? 0)
      }
    }
    bench.expect("sum of the results", sum.total, count)
    return elapsed
  }

  /// Starts runs that await one result, which then arrives.
  @concurrent
  private static func results(_ count: Int, _ bench: Bench) async -> Double {
    let gate = AsyncStream<Void>.makeStream()
    let awaited = AsyncAtom(keepAlive: true) { () -> Int in
      for await _ in gate.stream {}
      return 1
    }
    let atoms = (0..<count).map { _ in AsyncAtom(keepAlive: true) { try await awaited.result } }
    let sum = Tally()
    let elapsed = await nanoseconds {
      for atom in atoms { keep(atom.value) }
      // The runs wait.
      await Task.yield()
      gate.continuation.finish()
      for atom in atoms { sum.add((try? await atom.result) ?? 0) }
    }
    bench.expect("sum of the results", sum.total, count)
    return elapsed
  }

  /// Compares canceled tasks that await one result with canceled tasks that await their own streams.
  ///
  /// The time for each bare task grows with their number, too.
  private static let cancellations = Case(name: "\(large) canceled waits", weight: 0.6, limit: .ratio(2)) { bench in
    await bench.compare(to: "a stream", atLeast: large, atMost: large) { count in
      let streams = (0..<count).map { _ in AsyncStream<Int>.makeStream() }
      return await onOneThread { await cancel(count, bench) { for await _ in streams[$0].stream {} } }
    } subject: { count in
      let gate = AsyncStream<Void>.makeStream()
      let awaited = AsyncAtom(keepAlive: true) { for await _ in gate.stream {} }
      defer { gate.continuation.finish() }
      return await onOneThread { await cancel(count, bench) { _ in try? await awaited.result } }
    }
  }

  /// Cancels waiting tasks.
  @concurrent
  private static func cancel(_ count: Int, _ bench: Bench, _ wait: @escaping @Sendable (Int) async -> Void) async
    -> Double
  {
    await withTaskGroup { group in
      let (begun, ended) = (Tally(), Tally())
      for index in 0..<count {
        group.addTask {
          begun.add(1)
          await wait(index)
          ended.add(1)
        }
      }
      await Task.yield()
      bench.expect("waiting tasks", begun.total - ended.total, count)
      let start = now()
      group.cancelAll()
      await group.waitForAll()
      return Double(now() - start)
    }
  }

  /// Reads derived atoms in a run, which are up to date, with few or many atoms beneath them.
  private static let read = Case(name: "read in a run, \(large) beneath", weight: 0.6, limit: .ratio(2)) { bench in
    await bench.compare(to: "\(small / 10) beneath", atLeast: small, atMost: small) { count in
      await onOneThread { await reads(count, beneath: small / 10) }
    } subject: { count in
      await onOneThread { await reads(count, beneath: large) }
    }
  }

  @concurrent
  private static func reads(_ count: Int, beneath: Int) async -> Double {
    let sources = (0..<beneath).map { Atom($0, keepAlive: true) }
    let sum = DerivedAtom(keepAlive: true) { sources.reduce(0) { $0 &+ $1.value } }
    let derived = (0..<count).map { index in DerivedAtom(keepAlive: true) { sum.value &+ index } }
    for atom in derived { keep(atom.value) }
    let run = AsyncAtom(keepAlive: true) { await nanoseconds { for atom in derived { keep(atom.value) } } }
    return (try? await run.result) ?? .nan
  }
}
