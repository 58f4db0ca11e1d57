import Foundation

/// Ends the process when nothing has moved for ten seconds, and says who holds the turn and who waits.
///
/// A thread and not a task: a deadlock may have taken every thread that tasks run on.
func startWatchdog(_ context: Context) {
  Thread.detachNewThread {
    var last = context.pulse
    var idle = 0
    while true {
      Thread.sleep(forTimeInterval: 1)
      let pulse = context.pulse
      idle = pulse == last ? idle + 1 : 0
      last = pulse
      if idle >= 10 {
        say("\nStoreLoadTest: nothing has moved for ten seconds; \(context.underLoad)")
        exit(1)
      }
    }
  }
}

/// Writes a line to standard error.
func say(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
