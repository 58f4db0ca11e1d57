import Foundation

/// Calls `stalled` when nothing has moved for ten seconds.
///
/// A thread and not a task: a deadlock may have taken every thread that tasks run on.
func startWatchdog(_ monitor: Monitor, stalled: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    var stall = StallDetector()
    while true {
      Thread.sleep(forTimeInterval: 1)
      if stall.looked(pulse: monitor.pulse, text: monitor.underLoad) { return stalled() }
    }
  }
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
  source.resume()
  return source
}
