import ActorStore
import Foundation

/// The results of a run, as `--json` prints them.
struct Report: Codable, Equatable, Sendable {
  struct Machine: Codable, Equatable, Sendable {
    let cores: Int
    let os: String
    let swift: String
    let configuration: String
    /// The round trip of a cache line between two cores, or `nil` if it could not be measured.
    let cacheLineRoundTripNanoseconds: Double?

    /// This machine, which is measured once, before anything else.
    static let this: Machine = {
      let process = ProcessInfo.processInfo
      let runtime = RuntimeEntries.areUsed ? "runtime entries" : "public API only"
      return Machine(
        cores: process.activeProcessorCount, os: process.operatingSystemVersionString, swift: swiftVersion,
        configuration: "\(isDebug ? "debug" : "release"), \(runtime)",
        cacheLineRoundTripNanoseconds: CacheLine.roundTripNanoseconds())
    }()
  }

  var version = 1
  let machine: Machine
  let seed: UInt64
  let scenarios: [CaseResult]
  let violations: Int
  /// The reason why the run did not finish ("interrupted" or "stalled"), or `nil` if it finished.
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
