import Foundation
import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Creates, uses, and releases stores on several threads while a watchdog sweeps over them.
@Suite struct WatchdogThreadsTests {
  /// The reports of one watchdog.
  private final class Reports: Sendable {
    private let held = Locked<[String: Int]>([:])

    func add(_ report: TurnReport) {
      held.withLock { $0["\(report.storeName) \(report.ticket) \(report.event)", default: 0] += 1 }
    }

    var all: [String: Int] { held.withLock { $0 } }
  }

  @Test(.namedIfItHangs, arguments: 0..<4 as Range<UInt64>) func storesComeAndGoDuringSweeps(_ seed: UInt64) {
    let reports = Reports()
    let watchdog = TurnWatchdog(limit: .seconds(1), clock: StillClock()) { reports.add($0) }
    let done = DispatchSemaphore(value: 0)
    for thread in 0..<3 as Range<UInt64> {
      Thread.detachNewThread {
        Self.createAndRelease(watchdog, name: "\(thread)", seed: seed * 10 + thread)
        done.signal()
      }
    }
    // Only one thread sweeps, as in a program.
    var second = 0
    for _ in 0..<3 {
      repeat {
        second += 1
        _ = watchdog.sweep { .seconds(second) }
      } while done.wait(timeout: .now()) == .timedOut
    }
    for _ in 1...3 {
      second += 1
      _ = watchdog.sweep { .seconds(second) }
    }
    #expect(watchdog.count == 0)
    let all = reports.all
    #expect(all.values.allSatisfy { $0 == 1 }, "a turn was reported twice")
    for report in all.keys where report.hasSuffix("held") {
      #expect(all[report.dropLast("held".count) + "ended"] == 1, "\(report), but not that it ended")
    }
    #expect(all.count(where: { $0.key.hasSuffix("held") }) * 2 == all.count)
  }

  /// Creates stores, lets some of them hold a turn for a while, and releases all of them.
  private static func createAndRelease(_ watchdog: TurnWatchdog, name: String, seed: UInt64) {
    var random = SplitMix64(seed)
    var stores: [(store: Store<Int>, ticket: TicketNumber?)] = []
    for number in 0..<TestSize.length(20_000, short: 3_000) {
      if stores.count < 20 || random.below(2) == 0 {
        stores.append((Store(0, guards: [watchdog.makeGuard()], name: "\(name) \(number)"), nil))
      } else {
        let (store, ticket) = stores.remove(at: random.below(stores.count))
        if let ticket { store.queue.handOff(ticket) }
      }
      let index = random.below(stores.count)
      let (store, ticket) = stores[index]
      if let ticket {
        store.queue.handOff(ticket)
        stores[index].ticket = nil
      } else {
        stores[index].ticket = store.queue.takeOnlyTurn(.text("turn"))
      }
    }
    for case (let store, let ticket?) in stores { store.queue.handOff(ticket) }
  }
}

/// A clock whose time stands still, so its sleepers wake only when they are canceled.
private struct StillClock: Clock {
  let now = ContinuousClock.now
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    // A stream without elements ends when the task is canceled.
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
  }
}
