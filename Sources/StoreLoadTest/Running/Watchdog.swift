import Foundation
import Synchronization

/// Calls `stalled` with what is known when nothing has moved for ten seconds.
///
/// A thread and not a task: a deadlock may have taken every thread that tasks run on.
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

/// What is under load, as it describes itself; asked on another thread, since it may be locked for good.
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
  let text = Mutex("it does not say who has the turn: a lock is held")
}

/// Finds that nothing moves, by looking once a second.
struct StallDetector {
  static let seconds = 10

  private var last: (pulse: Int, text: String)?
  private var unchanged = 0

  /// True when nothing has changed for so many looks.
  mutating func looked(pulse: Int, text: String) -> Bool {
    let isSame = last.map { $0 == (pulse, text) } ?? false
    unchanged = isSame ? unchanged + 1 : 0
    last = (pulse, text)
    return unchanged >= Self.seconds
  }
}

/// Calls `interrupted` when Ctrl-C is pressed; the second time the process ends at once.
func onInterruption(_ interrupted: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
  signal(SIGINT, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interruption"))
  source.setEventHandler {
    signal(SIGINT, SIG_DFL)
    interrupted()
  }
  // Until it is registered an interruption would be lost.
  let isRegistered = DispatchSemaphore(value: 0)
  source.setRegistrationHandler { isRegistered.signal() }
  source.resume()
  isRegistered.wait()
  return source
}
