import Synchronization

/// What scenarios share: how hard to try, the violations found, and signs of life for the watchdog.
final class Context: Sendable {
  let options: Options
  private let found = Mutex<[String]>([])
  private let beats = Atomic<Int>(0)
  private let current = Mutex<@Sendable () -> String>({ "nothing yet" })

  init(_ options: Options) {
    self.options = options
  }

  /// Fewer of something when there is little time.
  func scaled(_ count: Int) -> Int {
    options.isQuick ? max(1, count / 4) : count
  }

  /// Says that the scenario goes on.
  func beat() {
    beats.wrappingAdd(1, ordering: .relaxed)
  }

  var pulse: Int { beats.load(ordering: .relaxed) }

  /// Names what is under load, for the report of a stall.
  func watch(_ describe: @escaping @Sendable () -> String) {
    current.withLock { $0 = describe }
    beat()
  }

  var underLoad: String { current.withLock { $0 }() }

  /// Records a violation unless `seen` is what is expected; returns how many there were, 0 or 1.
  func expect<Value: Equatable>(_ what: String, _ seen: Value, _ expected: Value) -> Int {
    if seen == expected { return 0 }
    found.withLock { $0.append("\(what): expected \(expected), saw \(seen)") }
    return 1
  }

  var violations: [String] { found.withLock { $0 } }
}
