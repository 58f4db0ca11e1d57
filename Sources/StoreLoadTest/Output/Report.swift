import Foundation

/// All that a run has measured: what `--json` prints.
struct Report: Codable, Equatable, Sendable {
  struct Machine: Codable, Equatable, Sendable {
    let cores: Int
    let os: String
    let swift: String
    let configuration: String

    static var this: Machine {
      let process = ProcessInfo.processInfo
      return Machine(
        cores: process.activeProcessorCount, os: process.operatingSystemVersionString, swift: swiftVersion,
        configuration: isDebug ? "debug" : "release")
    }
  }

  var version = 1
  let machine: Machine
  let seed: UInt64
  let scenarios: [CaseResult]
  let violations: Int
  /// Present when the run did not come to its end.
  var interrupted: Bool?

  init(machine: Machine, seed: UInt64, scenarios: [CaseResult], isInterrupted: Bool) {
    self.machine = machine
    self.seed = seed
    self.scenarios = scenarios
    violations = scenarios.reduce(0) { $0 + $1.violations }
    interrupted = isInterrupted ? true : nil
  }
}

let isDebug: Bool = {
  #if DEBUG
    true
  #else
    false
  #endif
}()

private let swiftVersion: String = {
  #if compiler(>=6.5)
    "6.5 or newer"
  #elseif compiler(>=6.4)
    "6.4"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}()
