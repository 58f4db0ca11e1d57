import ActorStore
import ActorStoreTesting
import Testing

#if os(Linux) && canImport(Runtime) && !PublicAPIOnly && compiler(>=6.3) && compiler(<6.4)
  /// The section of a report that names the tasks of a deadlock.
  @Suite struct WaitingTasksTests {
    /// Returns what each task waits for, without the functions and the steps.
    private func waits(_ body: @escaping @Sendable () async throws -> Void) throws -> [String] {
      let report = try #require(throws: Simulation.Failure.self) { try Simulation.explore(.fifo, body: body) }
        .description
      let section = report.split(separator: "\n").drop { $0 != "waiting tasks" }.dropFirst().prefix {
        $0.hasPrefix("  ")
      }
      let places = section.filter { $0.hasPrefix("    in ") }
      let waits = section.filter { !$0.hasPrefix("    ") }
      #expect(places.count == waits.count && waits.allSatisfy { $0.contains(#/, since step \d+$/#) }, "\(report)")
      return waits.map { line in "\(line.dropFirst(2).prefix(while: { $0 != "," }))" }
    }

    @Test func elementsOfStreams() throws {
      let found = try waits {
        let (tea, milk) = (AsyncStream<Int>.makeStream(), AsyncThrowingStream<Int, any Error>.makeStream())
        await withThrowingTaskGroup { group in
          group.addTask(name: "Ann") {
            for await _ in tea.stream { break }
            milk.continuation.yield(1)
          }
          group.addTask(name: "Bob") {
            for try await _ in milk.stream { break }
            tea.continuation.yield(1)
          }
        }
      }
      let expected = [
        "the body waits for a child task", #"task 1 "Ann" waits for an element of an `AsyncStream`"#,
        #"task 2 "Bob" waits for an element of an `AsyncThrowingStream`"#,
      ]
      #expect(found == expected)
    }

    @Test func endsOfTasks() throws {
      let found = try waits {
        let first = Simulation.task(name: "first") { await Self.never() }
        let second = Simulation.task { await first.value }
        async let third: Void = second.value
        await third
      }
      let expected = [
        "the body waits for the end of task 3", #"task 1 "first" waits for a continuation to be resumed"#,
        #"task 2 waits for the end of task 1 "first""#, "task 3 waits for the end of task 2",
      ]
      #expect(found == expected)
    }

    /// A task that has ended does not wait, although its memory may still be there.
    @Test func tasksThatHaveEnded() throws {
      let found = try waits {
        let ended = Simulation.task {}
        await ended.value
        await withDiscardingTaskGroup { group in
          for _ in 0..<10 { group.addTask {} }
          group.addTask { try? await Self.neverThrows() }
        }
        withExtendedLifetime(ended) {}
      }
      #expect(found == ["the body waits for a child task", "task 12 waits for a continuation to be resumed"])
    }

    @Test func turnsAndTickets() throws {
      let found = try waits {
        let account = Store(Account(), name: "account")
        account.send(label: "settle") { _ async in await Self.never() }
        await withTaskGroup { group in
          let ticket = account.send(Deposit())
          group.addTask(name: "Ann") { _ = await account.dispatch(Deposit()) }
          group.addTask(name: "Bob") { _ = await ticket.outcome }
          group.addTask(name: "Eve") { _ = try? await account.closeAndDrain() }
        }
      }
      #expect(found.contains(#"task 3 "Ann" waits to run Deposit on account"#), "\(found)")
      #expect(found.contains(#"task 4 "Bob" waits for `Ticket.outcome`"#), "\(found)")
      #expect(found.contains { $0.hasPrefix(#"task 5 "Eve" waits for `Store.closeAndDrain("#) }, "\(found)")
    }

    private static func never() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private static func neverThrows() async throws {
      try await withUnsafeThrowingContinuation { (_: UnsafeContinuation<Void, any Error>) in }
    }
  }
#endif
