import ActorStore

/// Commits with many subscribers to few selections, and with many selections (P15).
///
/// The store evaluates each selection once per commit, for all of its subscribers.
enum SelectionConsumers {
  static func cases(_ subscribers: Int) -> [Case] { [fewSelections(subscribers), sharing, inputs] }

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
  private static func fewSelections(_ subscribers: Int) -> Case {
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
        let values = store.select(paths[index % 5]).values
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

  // MARK: One selection

  private static let consumers = 10_000

  /// Compares the time of a commit with many unread streams of one selection to the time with one stream.
  ///
  /// Every second commit changes the value.
  private static let sharing = Case(
    name: "\(consumers) consumers of 1 selection, compared with 1", weight: 0.6, limit: .ratio(1.2)
  ) { bench in
    await bench.compare(to: "1 consumer", atMost: 100_000) { count in
      await commits(1, count, bench)
    } subject: { count in
      await commits(consumers, count, bench)
    }
  }

  private static func commits(_ consumers: Int, _ count: Int, _ bench: Bench) async -> Double {
    let store = Store(Form(), name: "\(consumers) consumers")
    let looks = await store.state.looks
    let streams = (0..<consumers).map { _ in store.select(\.first).values }
    let before = looks.total
    let elapsed = await nanoseconds {
      for step in 0..<count { await store.dispatch { $0.numbers[step & 1] += 1 } }
    }
    bench.expect("evaluations (P15)", looks.total - before, count)
    let offered = store.diagnostics.subscribers.map(\.offered)
    bench.expect("offered (P12)", offered.min(), (count + 1) / 2 + 1)
    bench.expect("offered (P12)", offered.max(), (count + 1) / 2 + 1)
    withExtendedLifetime(streams) {}
    return elapsed
  }

  // MARK: Inputs

  private static let orders = 1_000

  private struct Shop: Sendable {
    struct Line: Equatable {
      let item: Int
      var amount: Int
    }

    var orders = Array(repeating: (0..<100).map { Line(item: $0, amount: 1) }, count: SelectionConsumers.orders)
    var prices = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) })

    static func total(_ lines: [Line], _ prices: [Int: Int]) -> Int {
      lines.reduce(0) { $0 + $1.amount * prices[$1.item, default: 0] }
    }
  }

  /// Times a commit that changes one of many watched orders, compared with closures that compute all totals.
  private static let inputs = Case(
    name: "\(orders) selections with inputs, 1 changed", weight: 0.6, limit: .ratio(0.5)
  ) { bench in
    await bench.compare(to: "\(orders) closures", atMost: 1_000) { count in
      await commits(count, bench, expected: count * orders) { index, calls in
        Selection { shop in
          calls.add(1)
          return Shop.total(shop.orders[index], shop.prices)
        }
      }
    } subject: { count in
      await commits(count, bench, expected: count) { index, calls in
        Selection(\.orders[index], \.prices) { lines, prices in
          calls.add(1)
          return Shop.total(lines, prices)
        }
      }
    }
  }

  private static func commits(
    _ count: Int, _ bench: Bench, expected: Int, _ select: (Int, Tally) -> Selection<Shop, Int>
  ) async -> Double {
    let (store, calls) = (Store(Shop(), name: "shop"), Tally())
    let totals = (0..<orders).map { store.select(select($0, calls)).values(bufferingPolicy: .bufferingNewest(1)) }
    let before = calls.total
    let elapsed = await nanoseconds {
      for step in 0..<count { await store.dispatch { $0.orders[step % orders][0].amount += 1 } }
    }
    bench.expect("calls of closures (P15)", calls.total - before, expected)
    withExtendedLifetime(totals) {}
    return elapsed
  }
}
