import Foundation
import Synchronization

/// The time that a cache line takes to travel from one core to another and back.
///
/// The cost of contended calls depends largely on this time. The time differs from machine to machine and, on a shared
/// machine, from hour to hour. Compare contended figures and ratios only between runs with similar times.
enum CacheLine {
  /// The median of several measurements, or `nil` with only one core or if a thread cannot be pinned to a core.
  ///
  /// Two threads, pinned to the first two cores that this process may use, pass a number back and forth. On an idle
  /// machine, this takes a few milliseconds.
  static func roundTripNanoseconds(measurements: Int = 21, roundTrips: Int = 1_000) -> Double? {
    let cores = PinnedThread.cores
    guard cores.count > 1 else { return nil }
    let exchange = Exchange()
    let answering = PinnedThread(to: cores[1]) { exchange.answer(measurements * roundTrips) }
    let asking = PinnedThread(to: cores[0]) { exchange.ask(measurements, times: roundTrips) }
    asking.join()
    answering.join()
    return asking.isPinned && answering.isPinned ? Spread(exchange.figures.withLock { $0 }).median : nil
  }

  /// A number that one thread makes odd and the other makes even.
  private final class Exchange: Sendable {
    private let number = Atomic(0)
    let figures = Mutex<[Double]>([])

    func ask(_ measurements: Int, times roundTrips: Int) {
      var next = 1
      for _ in 0..<measurements {
        let start = now()
        for _ in 0..<roundTrips {
          number.store(next, ordering: .releasing)
          while number.load(ordering: .acquiring) == next {}
          next += 2
        }
        let nanoseconds = Double(now() - start) / Double(roundTrips)
        figures.withLock { $0.append(nanoseconds) }
      }
    }

    func answer(_ roundTrips: Int) {
      for round in 0..<roundTrips {
        let asked = 2 * round + 1
        while number.load(ordering: .acquiring) != asked {}
        number.store(asked + 1, ordering: .releasing)
      }
    }
  }
}
