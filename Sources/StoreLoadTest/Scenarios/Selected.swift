import ActorStore

/// Commits with many subscribers to few selections (P15).
///
/// The store evaluates each selection once per commit, for all of its subscribers.
enum Selected {
  /// Five selectable values, which count their evaluations.
  private struct Form: Sendable {
    let looks = Tally()
    var numbers = [0, 0, 0, 0, 0]

    var first: Int { look(0) }
    var second: Int { look(1) }
    var third: Int { look(2) }
    var fourth: Int { look(3) }
    var fifth: Int { look(4) }

    private func look(_ index: Int) -> Int {
      looks.add(1)
      return numbers[index]
    }
  }

  private static let paths: [any KeyPath<Form, Int> & Sendable] = [\.first, \.second, \.third, \.fourth, \.fifth]

  /// Times a commit that changes the value of one selection, until all of its subscribers have received the value.
  static func `case`(_ subscribers: Int) -> Case {
    Case(name: "\(subscribers) subscribers to 5 selections") { await run($0, subscribers) }
  }

  private static func run(_ bench: Bench, _ subscribers: Int) async -> Figures {
    let store = Store(Form(), name: "selections")
    let looks = await store.state.looks
    let received = Tally()
    bench.watch { "\(received.total) values received; \(store.diagnostics)" }
    let ofTheFirst = (subscribers + 4) / 5
    var figures: [Double] = []
    var before = 0
    await withTaskGroup { group in
      for index in 0..<subscribers {
        let values = store.values(of: paths[index % 5])
        group.addTask { for await _ in values { received.add(1) } }
        if index % 1_000 == 0 { bench.beat() }
      }
      while received.total < subscribers { await Task.yield() }
      before = looks.total
      while bench.goesOn(after: figures.count) {
        let expected = subscribers + ofTheFirst * (figures.count + 1)
        figures.append(
          await nanoseconds {
            await store.dispatch { $0.numbers[0] += 1 }
            while received.total < expected { await Task.yield() }
          })
        bench.beat()
      }
      store.close()
    }
    bench.expect("evaluations (P15)", looks.total - before, 5 * figures.count)
    bench.expect("initial evaluations", before, min(5, subscribers))
    bench.expect("values received", received.total, subscribers + ofTheFirst * figures.count)
    return Figures(operations: figures.count, nanoseconds: Spread(figures))
  }
}
