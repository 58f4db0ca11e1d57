extension CurrentThread {
  #if os(Linux)
    /// The system's number of the calling thread, or 0 if it is unknown.
    static var systemNumber: Int {
      OpenFile.target(ofLinkAt: "/proc/thread-self").flatMap { $0.split(separator: "/").last }.flatMap { Int($0) } ?? 0
    }

    /// How often a thread of this process has gone to sleep, or -1 if it does not sleep now.
    static func sleeps(ofThread number: Int) -> Int {
      guard let file = OpenFile("/proc/self/task/\(number)/status") else { return -1 }
      let lines = String(decoding: file.read(at: 0, count: 4_096), as: UTF8.self).split(separator: "\n")
      func value(_ name: String) -> Substring? {
        lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: "\t").first
      }
      guard value("State:")?.hasPrefix("S") == true else { return -1 }
      return value("voluntary_ctxt_switches:").flatMap { Int($0) } ?? -1
    }
  #else
    static var systemNumber: Int { 0 }

    static func sleeps(ofThread number: Int) -> Int { -1 }
  #endif
}
