import TestSize
import Testing

@testable import ActorStore

/// P11 to P14 on real threads, with a hundred subscribers and eight tasks that commit up to two thousand times in total.
@Suite struct ManySubscribersTests {
  private static let last = TestSize.length(2_000, short: 400)

  /// A state that is the number of its commit.
  private struct State: Sendable {
    var number = 0
  }

  private enum Kind: CaseIterable {
    case unbounded, filtered, newest, newestFiltered, oldest

    var policy: AsyncStream<State>.Continuation.BufferingPolicy {
      switch self {
      case .unbounded, .filtered: .unbounded
      case .newest, .newestFiltered: .bufferingNewest(1)
      case .oldest: .bufferingOldest(3)
      }
    }

    /// Whether the filter accepts a number.
    ///
    /// Each filter accepts the last number.
    func accepts(_ number: Int) -> Bool {
      switch self {
      case .filtered: number % 3 == 0 || number == ManySubscribersTests.last
      case .newestFiltered: number % 2 == 0
      default: true
      }
    }

    /// A description of the problem with the received numbers, or `nil` if there is none.
    func problem(_ numbers: [Int]) -> String? {
      if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) { return "\(self): out of order" }
      if !numbers.allSatisfy(accepts) { return "\(self): received a number that it refuses" }
      switch self {
      case .unbounded, .filtered:
        return numbers == (0...ManySubscribersTests.last).filter(accepts) ? nil : "\(self): \(numbers.count) numbers"
      case .newest, .newestFiltered:
        return numbers.last == ManySubscribersTests.last ? nil : "\(self): ended on \(numbers.last ?? -1)"
      case .oldest:
        return numbers.first == 0 ? nil : "\(self): began with \(numbers.first ?? -1)"
      }
    }
  }

  @Test func p11_p12_p13_allSubscribersGetTheirStates() async {
    let store = Store(State())
    let problems = Witness<String>()
    let received = Witness<(index: Int, count: Int)>()
    let consumers = (0..<100).map { index in
      let kind = Kind.allCases[index % Kind.allCases.count]
      let states = store.states(bufferingPolicy: kind.policy) { _, new in kind.accepts(new.number) }
      return (kind, states)
    }
    await withTaskGroup { group in
      for (index, (kind, states)) in consumers.enumerated() {
        group.addTask {
          var numbers: [Int] = []
          for await state in states { numbers.append(state.number) }
          if let problem = kind.problem(numbers) { problems.saw(problem) }
          received.saw((index, numbers.count))
        }
      }
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for step in 0..<Self.last / 8 {
              if step % 5 == 0 {
                await store.dispatch { state async in
                  let number = state.number
                  await Task.yield()
                  state.number = number + 1
                }
              } else {
                await store.dispatch { $0.number += 1 }
              }
            }
          }
        }
      }
      // After all subscribers have taken their states, the counts are final.
      while store.diagnostics.subscribers.contains(where: { $0.pending > 0 }) { await Task.yield() }
      let accounts = store.diagnostics.subscribers
      if accounts.count != 100 { problems.saw("\(accounts.count) accounts") }
      for (index, account) in accounts.enumerated() {
        let kind = Kind.allCases[index % Kind.allCases.count]
        if account.offered != Self.last + 1 { problems.saw("\(account)") }
        switch kind {
        case .unbounded, .filtered: if account.dropped != 0 { problems.saw("\(kind): \(account)") }
        case .newest, .oldest: if account.refused != 0 { problems.saw("\(kind): \(account)") }
        case .newestFiltered: break
        }
      }
      store.close()
      await group.waitForAll()
      for (index, count) in received.all where accounts[index].received != count {
        problems.saw("\(accounts[index]), and received \(count)")
      }
    }
    #expect(problems.all.isEmpty, "\(problems.all)")
    #expect(received.all.count == 100)
    #expect(store.hub.isEmpty)
  }
}
