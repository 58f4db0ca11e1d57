import Foundation
import Synchronization

/// Calls `stalled` with a description of the load after ten seconds without progress.
///
/// The watchdog is a thread, not a task, because a deadlock can block every thread of the thread pool.
func startWatchdog(_ monitor: Monitor, stalled: @escaping @Sendable (String) -> Void) {
  Thread.detachNewThread {
    var stall = StallDetector()
    while true {
      Thread.sleep(forTimeInterval: 1)
      let text = underLoad(monitor)
      if stall.looked(pulse: monitor.pulse, text: text) { return stalled(text) }
    }
  }
}

/// Returns the load's description of itself.
///
/// The description runs on another thread, because it can block forever if a lock is held.
private func underLoad(_ monitor: Monitor) -> String {
  let answer = Answer()
  let answered = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    let description = monitor.underLoad
    answer.text.withLock { $0 = description }
    answered.signal()
  }
  _ = answered.wait(timeout: .now() + .seconds(1))
  return answer.text.withLock { $0 }
}

private final class Answer: Sendable {
  let text = Mutex("the load does not describe itself, probably because a lock is held")
}

/// Detects a lack of progress from one observation per second.
struct StallDetector {
  static let seconds = 10

  private var last: (pulse: Int, text: String)?
  private var unchanged = 0

  /// Records an observation, and returns whether nothing has changed in the last `seconds` observations.
  mutating func looked(pulse: Int, text: String) -> Bool {
    let isSame = last.map { $0 == (pulse, text) } ?? false
    unchanged = isSame ? unchanged + 1 : 0
    last = (pulse, text)
    return unchanged >= Self.seconds
  }
}

/// Calls `interrupted` when the user presses Ctrl-C.
///
/// A second Ctrl-C ends the process immediately.
func onInterruption(_ interrupted: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
  signal(SIGINT, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interruption"))
  source.setEventHandler {
    signal(SIGINT, SIG_DFL)
    interrupted()
  }
  // Before the source is registered, an interruption would be lost.
  let isRegistered = DispatchSemaphore(value: 0)
  source.setRegistrationHandler { isRegistered.signal() }
  source.resume()
  isRegistered.wait()
  return source
}
