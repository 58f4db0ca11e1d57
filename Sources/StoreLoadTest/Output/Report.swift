import ActorStore
import Foundation

/// All that a run has measured: what `--json` prints.
struct Report: Codable, Equatable, Sendable {
  struct Machine: Codable, Equatable, Sendable {
    let cores: Int
    let os: String
    let swift: String
    let configuration: String
    /// From one core to another and back; left out where it could not be measured.
    let cacheLineRoundTripNanoseconds: Double?

    /// Measured once, before anything else is.
    static let this: Machine = {
      let process = ProcessInfo.processInfo
      return Machine(
        cores: process.activeProcessorCount, os: process.operatingSystemVersionString, swift: swiftVersion,
        configuration: (isDebug ? "debug" : "release") + (RuntimeShortcuts.areOn ? "" : ", public API only"),
        cacheLineRoundTripNanoseconds: CacheLine.roundTripNanoseconds())
    }()
  }

  var version = 1
  let machine: Machine
  let seed: UInt64
  let scenarios: [CaseResult]
  let violations: Int
  /// Why the run did not come to its end: "interrupted" or "stalled"; left out if it did.
  var incomplete: String?

  init(machine: Machine, seed: UInt64, scenarios: [CaseResult], violations: Int, incomplete: String? = nil) {
    self.machine = machine
    self.seed = seed
    self.scenarios = scenarios
    self.violations = violations
    self.incomplete = incomplete
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
